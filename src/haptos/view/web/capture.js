// Pictures and films of the stage, with its marks, made in the browser.
"use strict";
(function (haptos) {
  const RATE = 30; // [frames/s] of a film
  const TYPES = ["video/mp4;codecs=avc1", "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

  function composed(stage, title, into) {
    stage.draw();
    const canvas = into || document.createElement("canvas");
    if (canvas.width !== stage.canvas.width || canvas.height !== stage.canvas.height) {
      canvas.width = stage.canvas.width;
      canvas.height = stage.canvas.height;
    }
    const pen = canvas.getContext("2d");
    pen.drawImage(stage.canvas, 0, 0);
    pen.drawImage(stage.marks, 0, 0);
    pen.font = `${13 * stage.ratio}px system-ui, sans-serif`;
    pen.fillStyle = stage.theme.ink;
    pen.textAlign = "right";
    const [x, y] = [canvas.width - 14 * stage.ratio, 22 * stage.ratio];
    haptos.written(pen, stage.theme, title, x, y, stage.ratio);
    return canvas;
  }

  function picture(stage, title) {
    return new Promise((done) => composed(stage, title).toBlob(done, "image/png"));
  }

  // A film of the whole run; `show(time)` moves the scene, `onShare(share)` says how far it is and
  // whether to go on.
  async function film(stage, title, seconds, show, onShare) {
    const type = TYPES.find((name) => window.MediaRecorder && MediaRecorder.isTypeSupported(name));
    if (!type) throw new Error("this browser records no video");
    const canvas = composed(stage, title);
    const recorder = new MediaRecorder(canvas.captureStream(RATE), {
      mimeType: type, videoBitsPerSecond: 8e6,
    });
    const parts = [];
    recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
    const ended = new Promise((done) => recorder.addEventListener("stop", done));
    recorder.start();
    const [first, last] = [stage.times[0], stage.times[stage.times.length - 1]];
    const began = performance.now();
    for (let share = 0; share < 1;) {
      await new Promise((done) => requestAnimationFrame(done));
      share = Math.min(1, (performance.now() - began) / (1000 * seconds));
      show(first + share * (last - first));
      composed(stage, title, canvas);
      if (!onShare(share)) break;
    }
    recorder.stop();
    await ended;
    return new Blob(parts, { type });
  }

  function save(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  Object.assign(haptos, { picture, film, save });
})(window.haptos = window.haptos || {});
