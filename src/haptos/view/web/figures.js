// A button under each figure of a report that saves it as SVG, for papers.
"use strict";
(function () {
  const NAMES = { xmlns: "http://www.w3.org/2000/svg", "xmlns:xlink": "http://www.w3.org/1999/xlink" };

  function saved(svg, name) {
    const copy = svg.cloneNode(true);
    for (const [key, value] of Object.entries(NAMES)) copy.setAttribute(key, value);
    copy.setAttribute("style", "color: #222; font-family: sans-serif");
    const text = new XMLSerializer().serializeToString(copy);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    link.download = `${name}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    return text;
  }

  for (const figure of document.querySelectorAll("figure.drawn")) {
    const svg = figure.querySelector("svg");
    const title = figure.previousElementSibling?.textContent || "figure";
    const name = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
    const button = figure.appendChild(document.createElement("button"));
    button.type = "button";
    button.className = "save";
    button.textContent = "Save as SVG";
    button.addEventListener("click", () => saved(svg, name));
  }
})();
