// Plots in step with the slider, and the cloud of runs of a campaign.
"use strict";
(function (haptos) {
  const LEFT = 58, RIGHT = 10, TOP = 22, BOTTOM = 30;

  // A canvas with axes: from values to pixels and back.
  class Axes {
    constructor(box, height) {
      this.canvas = box.appendChild(document.createElement("canvas"));
      this.canvas.style.height = `${height}px`;
      this.box = box;
    }
    begin(ranges, isLog) {
      const ratio = Math.min(window.devicePixelRatio || 1, 2);
      this.width = this.canvas.clientWidth || 300;
      this.height = this.canvas.clientHeight || 150;
      this.canvas.width = this.width * ratio;
      this.canvas.height = this.height * ratio;
      const pen = (this.pen = this.canvas.getContext("2d"));
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.font = "11px system-ui, sans-serif";
      this.theme = haptos.theme(this.box);
      this.isLog = isLog;
      this.ranges = ranges.map(([low, high], k) => widened(low, high, isLog[k]));
    }
    x(value) {
      return LEFT + this.share(0, value) * (this.width - LEFT - RIGHT);
    }
    y(value) {
      return this.height - BOTTOM - this.share(1, value) * (this.height - TOP - BOTTOM);
    }
    share(k, value) {
      const [low, high] = this.ranges[k];
      return this.isLog[k]
        ? (Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low))
        : (value - low) / (high - low);
    }
    valueAtX(pixel) {
      const [low, high] = this.ranges[0];
      const share = (pixel - LEFT) / (this.width - LEFT - RIGHT);
      return low + Math.min(1, Math.max(0, share)) * (high - low);
    }
    frame(labels) {
      const { pen, theme } = this;
      const marks = (k, count) => this.isLog[k]
        ? haptos.logTicks(...this.ranges[k]) : haptos.ticks(...this.ranges[k], count);
      pen.lineWidth = 1;
      pen.fillStyle = theme.soft;
      pen.strokeStyle = theme.line;
      pen.textAlign = "right";
      for (const value of marks(1, 5)) {
        const y = this.y(value);
        line(pen, LEFT, y, this.width - RIGHT, y);
        pen.fillText(haptos.shown(value, 4), LEFT - 6, y + 4);
      }
      pen.textAlign = "center";
      for (const value of marks(0, Math.max(2, Math.floor(this.width / 65)))) {
        const x = this.x(value);
        line(pen, x, this.height - BOTTOM, x, this.height - BOTTOM + 4);
        const room = Math.min(Math.max(x, LEFT), this.width - 18);
        pen.fillText(haptos.shown(value, 4), room, this.height - BOTTOM + 15);
      }
      pen.fillStyle = theme.ink;
      pen.textAlign = "right";
      pen.fillText(labels[0], this.width - RIGHT, this.height - 3);
      pen.textAlign = "left";
      pen.fillText(labels[1], 4, 13);
    }
  }

  function widened(low, high, isLog) {
    if (!(low < high)) return isLog ? [low / 3 || 1e-12, high * 3 || 1] : [low - 0.5, high + 0.5];
    const room = 0.04 * (isLog ? Math.log10(high / low) : high - low);
    return isLog ? [low / 10 ** room, high * 10 ** room] : [low - room, high + room];
  }

  function line(pen, x1, y1, x2, y2) {
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  }

  function extent(values, isLog) {
    let low = Infinity, high = -Infinity;
    for (const value of values) {
      if (!Number.isFinite(value) || (isLog && value <= 0)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (low > high) return isLog ? [0.1, 1] : [0, 1];
    return isLog ? [Math.max(low, high * 1e-12), high] : [low, high];
  }

  // Series of one panel over time, with a line at the slider's time; a click moves the slider.
  class Chart {
    static async read(box, title, spec, packet, onTime) {
      const chart = new Chart();
      chart.title = title;
      chart.series = [];
      for (const one of spec) {
        const time = (await packet.array(one.time)).doubles();
        chart.series.push({ name: one.name, time, values: (await packet.array(one.values)).doubles() });
      }
      chart.unit = spec[0].unit;
      chart.isLog = spec.some((one) => one.log);
      const figure = box.appendChild(document.createElement("figure"));
      chart.axes = new Axes(figure, 150);
      chart.caption = figure.appendChild(document.createElement("figcaption"));
      chart.axes.canvas.setAttribute("role", "img");
      chart.axes.canvas.setAttribute("aria-label", `${title} over time, ${chart.unit}`);
      chart.axes.canvas.addEventListener("pointerdown", (event) => chart.pick(event, onTime));
      chart.axes.canvas.addEventListener("pointermove", (event) => {
        if (event.buttons & 1) chart.pick(event, onTime);
      });
      return chart;
    }
    pick(event, onTime) {
      onTime(this.axes.valueAtX(event.offsetX));
    }
    draw(time) {
      const { axes, isLog } = this;
      const last = Math.max(...this.series.map((one) => one.time[one.time.length - 1]));
      const first = Math.min(...this.series.map((one) => one.time[0]));
      const ends = this.series.map((one) => extent(one.values, isLog));
      const range = [Math.min(...ends.map((e) => e[0])), Math.max(...ends.map((e) => e[1]))];
      axes.begin([[first, last], range], [false, isLog]);
      axes.frame(["time [s]", `${this.title} [${this.unit}]`]);
      this.series.forEach((one, n) => this.trace(one, n));
      axes.pen.strokeStyle = axes.theme.ink;
      axes.pen.setLineDash([]);
      line(axes.pen, axes.x(time), TOP - 4, axes.x(time), axes.height - BOTTOM);
      this.tell(time);
    }
    trace(one, n) {
      const { pen } = this.axes;
      pen.strokeStyle = haptos.LINES[n % haptos.LINES.length];
      pen.setLineDash(haptos.DASHES[n % haptos.DASHES.length]);
      pen.lineWidth = 1.6;
      pen.beginPath();
      let isOn = false;
      for (let i = 0; i < one.time.length; i++) {
        const value = one.values[i];
        if (!Number.isFinite(value) || (this.isLog && value <= 0)) {
          isOn = false;
          continue;
        }
        const x = this.axes.x(one.time[i]);
        const y = Math.min(this.axes.y(value), this.axes.height - BOTTOM);
        if (isOn) pen.lineTo(x, y);
        else pen.moveTo(x, y);
        isOn = true;
      }
      pen.stroke();
      pen.setLineDash([]);
      pen.lineWidth = 1;
    }
    // The names of the lines and their values now.
    tell(time) {
      this.caption.textContent = "";
      this.series.forEach((one, n) => {
        const [low, high, share] = haptos.between(one.time, time);
        const value = one.values[low] + share * (one.values[high] - one.values[low]);
        const entry = this.caption.appendChild(document.createElement("span"));
        const swatch = entry.appendChild(document.createElement("i"));
        swatch.style.borderTopColor = haptos.LINES[n % haptos.LINES.length];
        if (n % haptos.DASHES.length) swatch.style.borderTopStyle = "dashed";
        entry.appendChild(document.createTextNode(`${one.name} ${haptos.shown(value, 4)}`));
      });
    }
  }

  // Runs as dots over two columns of their table, coloured by outcome; a click picks one.
  class Scatter {
    constructor(box, onPick) {
      this.axes = new Axes(box, 250);
      this.axes.canvas.addEventListener("click", (event) => {
        const run = this.nearest(event.offsetX, event.offsetY);
        if (run !== null) onPick(run);
      });
    }
    show(table, x, y) {
      Object.assign(this, { table, columns: [x, y] });
    }
    draw(picked, canReplay) {
      const { axes, table } = this;
      const [x, y] = this.columns;
      axes.begin([extent(x.values, false), extent(y.values, false)], [false, false]);
      axes.frame([`${x.label}`, `${y.label}`]);
      this.places = [];
      for (let n = 0; n < table.count; n++) {
        if (!Number.isFinite(x.values[n]) || !Number.isFinite(y.values[n])) continue;
        const place = [axes.x(x.values[n]), axes.y(y.values[n]), n];
        this.places.push(place);
        this.dot(place, 2.6, canReplay(n) ? 0.85 : 0.28);
      }
      const chosen = this.places.find((place) => place[2] === picked);
      if (chosen) {
        axes.pen.strokeStyle = axes.theme.ink;
        axes.pen.lineWidth = 2;
        axes.pen.beginPath();
        axes.pen.arc(chosen[0], chosen[1], 7, 0, 7);
        axes.pen.stroke();
      }
    }
    dot([x, y, n], radius, alpha) {
      const { pen } = this.axes;
      pen.globalAlpha = alpha;
      pen.fillStyle = haptos.LINES[this.table.groups[n] % haptos.LINES.length];
      pen.beginPath();
      pen.arc(x, y, radius, 0, 7);
      pen.fill();
      pen.globalAlpha = 1;
    }
    nearest(x, y) {
      let best = null, least = 18;
      for (const place of this.places || []) {
        const apart = Math.hypot(place[0] - x, place[1] - y);
        if (apart < least) [best, least] = [place[2], apart];
      }
      return best;
    }
  }

  haptos.Chart = Chart;
  haptos.Scatter = Scatter;
})(window.haptos = window.haptos || {});
