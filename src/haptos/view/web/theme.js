// Colours of things and numbers as people read them; light and dark follow the reader's system.
"use strict";
(function (haptos) {
  // Okabe and Ito's palette: distinguishable by colour-blind eyes.
  const THINGS = {
    light: {
      ground: "#b8b0a2", body: "#0072b2", path: "#d55e00", contact: "#e69f00", start: "#009e73",
      end: "#b0407a", force: "#c2185b", velocity: "#009e73", other: "#6b7178",
    },
    dark: {
      ground: "#8f897e", body: "#56b4e9", path: "#ff8a3d", contact: "#f0c04a", start: "#2fd1a1",
      end: "#e89ac4", force: "#ff6fa5", velocity: "#2fd1a1", other: "#8b9198",
    },
  };
  const LINES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
  const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3], [10, 4], [1, 3]];
  const query = window.matchMedia("(prefers-color-scheme: dark)");

  function theme(element) {
    const style = getComputedStyle(element);
    const read = (name) => style.getPropertyValue(name).trim();
    return {
      things: query.matches ? THINGS.dark : THINGS.light,
      ink: read("--ink"), soft: read("--soft"), line: read("--line"), paper: read("--paper"),
      sky: read("--sky"),
    };
  }

  // A number with as many digits as help: 0.00123, 12.3, 4.56e-7.
  function shown(value, digits = 4) {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    if (typeof value !== "number") return String(value);
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e5 || size < 1e-3) {
      const [mantissa, power] = value.toExponential(Math.max(digits - 2, 1)).split("e");
      return `${Number(mantissa)}e${Number(power)}`;
    }
    return String(Number(value.toPrecision(digits)));
  }

  // Seconds for people: 12.3 s, 4 min 05 s, 2 h 07 min.
  function shownTime(seconds) {
    const size = Math.abs(seconds);
    if (size < 120) return `${seconds.toFixed(size < 10 ? 2 : 1)} s`;
    const two = (number) => String(number).padStart(2, "0");
    const whole = Math.round(size);
    if (size < 7200) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
    return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
  }

  // 1, 2 or 5 times a power of ten, at most `limit`.
  function roundBelow(limit) {
    const power = 10 ** Math.floor(Math.log10(limit));
    return [5, 2, 1].map((digit) => digit * power).find((value) => value <= limit * 1.0001) || power;
  }

  function ticks(low, high, count) {
    const span = high - low;
    if (!(span > 0) || !Number.isFinite(span)) return [low];
    const rough = span / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((digit) => digit * power).find((value) => value >= rough);
    const found = [];
    for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * span; n++) {
      found.push(Number((n * step).toPrecision(12)));
    }
    return found;
  }

  function logTicks(low, high) {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const last = Math.floor(Math.log10(high) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first + 1) / 4));
    const found = [];
    for (let n = first; n <= last; n += step) found.push(10 ** n);
    return found.length ? found : [low, high];
  }

  // Text with a rim in the colour of the sky, to be read over anything.
  function written(pen, theme, text, x, y, size = 1) {
    pen.save();
    Object.assign(pen, { strokeStyle: theme.sky, lineWidth: 3 * size, lineJoin: "round" });
    pen.strokeText(text, x, y);
    pen.restore();
    pen.fillText(text, x, y);
  }

  Object.assign(haptos, {
    theme, written, shown, shownTime, roundBelow, ticks, logTicks, LINES, DASHES,
    onTheme: (call) => query.addEventListener("change", call),
  });
})(window.haptos = window.haptos || {});
