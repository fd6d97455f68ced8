// The controls around the stage. Every text from a file is set as text, never as HTML.
"use strict";
(function (haptos) {
  function make(name, parent, { text, className, ...attributes } = {}) {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (parent) parent.appendChild(element);
    return element;
  }

  function button(parent, text, title, call) {
    const made = make("button", parent, { text, title, type: "button", "aria-label": title });
    made.addEventListener("click", call);
    return made;
  }

  // A labelled choice; `options` are [value, text] pairs.
  function choice(parent, label, options, call) {
    const row = make("label", parent, { className: "row" });
    make("span", row, { text: label });
    const select = make("select", row, { "aria-label": label });
    for (const [value, text] of options) make("option", select, { text, value });
    select.addEventListener("change", () => call(select.value));
    return select;
  }

  function tick(parent, label, colour, isOn, call) {
    const row = make("label", parent, { className: "row tick" });
    const box = make("input", row, { type: "checkbox" });
    box.checked = isOn;
    const swatch = make("i", row);
    swatch.style.background = colour;
    make("span", row, { text: label });
    box.addEventListener("change", () => call(box.checked));
    return { box, swatch };
  }

  function section(parent, title, isOpen = true) {
    const made = make("details", parent);
    made.open = isOpen;
    make("summary", made, { text: title });
    return make("div", made, { className: "inside" });
  }

  // Play, slider, time, speed; the slider's marks are the events.
  class TimeBar {
    constructor(parent, onTime) {
      this.onTime = onTime;
      this.play = button(parent, "▶", "Play or pause (space)", () => this.toggle());
      button(parent, "|◀", "To the event before", () => this.jump(-1));
      button(parent, "▶|", "To the next event", () => this.jump(1));
      const middle = make("div", parent, { className: "slide" });
      this.marks = make("canvas", middle, { "aria-hidden": "true" });
      this.slider = make("input", middle, {
        type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time",
      });
      this.slider.addEventListener("input", () => this.set(this.timeOf(Number(this.slider.value))));
      this.text = make("output", parent, { className: "time" });
      const speed = make("label", parent, { className: "speed" });
      this.speedText = make("span", speed);
      this.speed = make("input", speed, {
        type: "range", min: 0, max: 1, step: 0.005, value: 0.5, "aria-label": "Speed",
      });
      this.speed.addEventListener("input", () => this.tellSpeed());
      this.isPlaying = false;
    }
    use(times, events, box) {
      this.first = times[0];
      this.last = times[times.length - 1];
      this.events = events;
      this.box = box;
      const duration = Math.max(this.last - this.first, 1e-9);
      this.slowest = Math.min(0.1, duration / 200);
      this.fastest = Math.max(duration / 2, 1);
      const usual = Math.max(duration / 20, this.slowest);
      this.speed.value = Math.log(usual / this.slowest) / Math.log(this.fastest / this.slowest);
      this.tellSpeed();
      this.mark();
    }
    timeOf(share) {
      return this.first + share * (this.last - this.first);
    }
    get factor() {
      return this.slowest * (this.fastest / this.slowest) ** Number(this.speed.value);
    }
    tellSpeed() {
      this.speedText.textContent = `speed × ${haptos.shown(this.factor, 2)}`;
    }
    toggle(isOn = !this.isPlaying) {
      this.isPlaying = isOn;
      this.play.textContent = isOn ? "❚❚" : "▶";
      if (isOn && this.time >= this.last) this.set(this.first);
    }
    advance(seconds) {
      if (!this.isPlaying) return;
      const next = this.time + seconds * this.factor;
      this.set(Math.min(next, this.last));
      if (next >= this.last) this.toggle(false);
    }
    set(time) {
      this.time = Math.min(Math.max(time, this.first), this.last);
      this.slider.value = (this.time - this.first) / Math.max(this.last - this.first, 1e-9);
      this.text.textContent = `${haptos.shownTime(this.time)} of ${haptos.shownTime(this.last)}`;
      this.onTime(this.time);
    }
    jump(way) {
      const room = 1e-6 * (this.last - this.first);
      const stops = [this.first, ...this.events.map((event) => event.time), this.last];
      const ahead = stops.filter((t) => (way > 0 ? t > this.time + room : t < this.time - room));
      if (ahead.length) this.set(way > 0 ? Math.min(...ahead) : Math.max(...ahead));
    }
    mark() {
      const ratio = Math.min(window.devicePixelRatio || 1, 2);
      const width = this.marks.clientWidth;
      this.marks.width = width * ratio;
      this.marks.height = 7 * ratio;
      const pen = this.marks.getContext("2d");
      pen.scale(ratio, ratio);
      pen.fillStyle = haptos.theme(this.box).things.contact;
      for (const event of this.events) {
        const share = (event.time - this.first) / Math.max(this.last - this.first, 1e-9);
        pen.fillRect(8 + share * (width - 16) - 0.75, 0, 1.5, 7);
      }
    }
  }

  Object.assign(haptos, { make, button, choice, tick, section, TimeBar });
})(window.haptos = window.haptos || {});
