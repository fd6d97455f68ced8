// Finds the viewers of a page and opens each with its packet: held in the page, or from the server.
"use strict";
(function (haptos) {
  async function opened(box) {
    const viewer = new haptos.Viewer(box);
    const held = box.dataset.packet;
    let buffer;
    if (held) {
      const bytes = haptos.bytesFromBase64(document.getElementById(held).textContent.trim());
      buffer = bytes.buffer;
    } else {
      const answer = await fetch("scene");
      if (!answer.ok) throw new Error(await answer.text());
      buffer = await answer.arrayBuffer();
    }
    await viewer.open(buffer, held ? null : "run");
    return viewer;
  }

  haptos.viewers = [];
  for (const box of document.querySelectorAll("[data-viewer]")) {
    opened(box).then((viewer) => haptos.viewers.push(viewer)).catch((error) => {
      box.dataset.state = "failed";
      const text = document.createElement("p");
      text.textContent = `The viewer cannot be shown: ${error.message}`;
      box.appendChild(text);
    });
  }
})(window.haptos = window.haptos || {});
