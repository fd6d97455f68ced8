// The viewer: a stage, its controls, plots and, for campaigns, the runs to choose from.
"use strict";
(function (haptos) {
  const { make, button, choice, tick, section } = haptos;
  const OVERVIEW = -1;

  class Viewer {
    constructor(box) {
      this.box = box;
      this.statistics = { frames: 0, updateMilliseconds: 0, loadMilliseconds: 0 };
      this.isDirty = false;
      this.charts = [];
      this.run = OVERVIEW;
    }
    async open(buffer, live) {
      const began = performance.now();
      this.live = live;
      this.packet = new haptos.Packet(buffer);
      const head = (this.head = this.packet.head);
      this.palette = (await this.packet.array(head.palette)).numbers;
      this.layOut(head);
      try {
        this.stage = new haptos.Stage(this.stageBox, () => this.change());
      } catch (error) {
        this.tell("This browser shows no 3-D pictures (WebGL is off).");
        throw error;
      }
      if (head.table) await this.buildPicker();
      await this.show(head.scene, this.packet);
      this.watch();
      this.statistics.loadMilliseconds = performance.now() - began;
      this.box.dataset.state = "ready";
    }
    layOut(head) {
      const { box } = this;
      box.textContent = "";
      box.classList.add("viewer");
      const top = make("header", box);
      make("strong", top, { text: head.title });
      make("span", top, { text: head.subtitle, className: "soft" });
      const tools = make("span", top, { className: "tools" });
      button(tools, "Picture", "Save a picture of the stage (PNG)", () => this.savePicture());
      this.filmButton = button(tools, "Video", "Record the whole run as a video; press again to end it", () => this.saveFilm());
      button(tools, "Panel", "Show or hide the panel", () => box.classList.toggle("alone"));
      this.stageBox = make("div", box, { className: "stage" });
      this.message = make("p", this.stageBox, { className: "message", role: "status", hidden: "" });
      this.side = make("aside", box);
      const bar = make("div", box, { className: "bar" });
      this.bar = new haptos.TimeBar(bar, () => this.change());
      box.tabIndex = 0;
      box.addEventListener("keydown", (event) => {
        if (event.key === " " && !/BUTTON|INPUT|SELECT|SUMMARY/.test(event.target.tagName)) {
          event.preventDefault();
          this.bar.toggle();
        }
      });
      if (head.table) this.runsBox = section(this.side, "Runs");
      this.lookBox = section(this.side, "Look");
      this.plotBox = section(this.side, "Plots");
      this.noteBox = section(this.side, "Notes");
    }
    async show(scene, packet) {
      await this.stage.load(scene, packet, this.palette);
      this.scene = scene;
      this.buildLook(scene);
      await this.buildPlots(scene, packet);
      this.noteBox.textContent = "";
      for (const note of scene.notes) make("p", this.noteBox, { text: note });
      this.noteBox.parentNode.hidden = !scene.notes.length;
      this.bar.toggle(false);
      this.bar.use(this.stage.times, scene.events, this.box);
      this.bar.set(this.stage.times[0]);
      const isStill = !(this.bar.last > this.bar.first); // nothing to play or to record
      this.box.classList.toggle("still", isStill);
      this.filmButton.disabled = isStill;
      this.draw();
    }
    buildLook(scene) {
      const box = this.lookBox;
      box.textContent = "";
      const names = scene.cameras.map((camera, n) => [n, camera.name]);
      this.cameraChoice = choice(box, "camera", names, (n) => {
        this.stage.look(scene.cameras[Number(n)]);
        this.change();
      });
      this.maps = {};
      this.stage.legends = [];
      const isSurface = (item) => item.spec.kind === "surface";
      this.addMaps(box, "surface colour", this.stage.items.filter(isSurface));
      this.addMaps(box, "dots and lines", this.stage.items.filter((item) => !isSurface(item)));
      this.swatches = this.stage.items.map((item) => {
        const colour = this.stage.theme.things[item.spec.colour];
        const label = item.spec.unit ? `${item.label} [${item.spec.unit}]` : item.label;
        return tick(box, label, colour, item.shown, (isOn) => {
          item.shown = item.object.visible = isOn;
          item.isDirty = true;
          this.change();
        }).swatch;
      });
    }
    // One choice for items with maps: those that have the chosen map wear it, on one scale.
    addMaps(box, label, items) {
      const found = new Map();
      for (const map of items.flatMap((item) => item.maps)) {
        const range = found.get(map.name)?.range || [Infinity, -Infinity];
        const wide = [Math.min(range[0], map.range[0]), Math.max(range[1], map.range[1])];
        found.set(map.name, { name: map.name, unit: map.unit, range: wide });
      }
      if (!found.size) return;
      const use = (name) => {
        this.maps[label] = found.get(name) || null;
        for (const item of items) item.setMap(name, found.get(name)?.range);
        this.stage.legends = Object.values(this.maps).filter(Boolean);
        this.change();
      };
      const options = [...found.keys()].map((name) => [name, name]); // the legend tells the unit
      const select = choice(box, label, [...options, ["", "plain"]], use);
      select.value = options[0][0];
      use(select.value);
    }
    async buildPlots(scene, packet) {
      this.plotBox.textContent = "";
      this.charts = [];
      const panels = new Map();
      for (const one of scene.series) {
        if (!panels.has(one.panel)) panels.set(one.panel, []);
        panels.get(one.panel).push(one);
      }
      for (const [title, spec] of panels) {
        const chart = await haptos.Chart.read(
          this.plotBox, title, spec, packet, (time) => this.bar.set(time));
        this.charts.push(chart);
      }
      this.plotBox.parentNode.hidden = !this.charts.length;
    }
    async buildPicker() {
      this.table = await haptos.RunTable.read(this.head.table, this.packet);
      this.picker = new haptos.RunPicker(this.runsBox, this.table, {
        canReplay: (n) => this.canReplay(n),
        pick: (n) => this.replay(n),
      });
    }
    canReplay(n) {
      return Boolean(this.live) || String(this.table.runs[n]) in this.head.replays;
    }
    // Show one run of a campaign, by its row in the table; OVERVIEW shows all of them.
    async replay(n) {
      if (this.isBusy) { // loading a run, or recording the one that is shown
        this.picker.draw(this.run);
        return;
      }
      const run = n === OVERVIEW ? null : this.table.runs[n];
      if (n !== OVERVIEW && !this.canReplay(n)) {
        this.tell(`Run ${run} is not stored in this file; open its directory with haptos view.`);
        return;
      }
      this.isBusy = true;
      this.tell(n === OVERVIEW ? "" : `Run ${run} …`);
      try {
        await this.showRun(n, run);
        this.run = n;
        this.tell("");
      } catch (error) {
        this.tell(`Run ${run} cannot be shown: ${error.message}`);
      } finally {
        this.isBusy = false;
        this.picker.draw(this.run);
        this.change();
      }
    }
    async showRun(n, run) {
      if (n === OVERVIEW) return this.show(this.head.scene, this.packet);
      const stored = this.head.replays[String(run)];
      if (stored) return this.show(stored, this.packet);
      const answer = await fetch(`${this.live}/${run}`);
      if (!answer.ok) throw new Error(await answer.text());
      const packet = new haptos.Packet(await answer.arrayBuffer());
      return this.show(packet.head.scene, packet);
    }
    tell(text) {
      this.message.textContent = text;
      this.message.hidden = !text;
    }
    change() {
      this.isDirty = true;
    }
    draw() {
      const began = performance.now();
      this.stage.setTime(this.bar.time);
      this.statistics.updateMilliseconds += performance.now() - began;
      this.stage.draw();
      for (const chart of this.charts) chart.draw(this.bar.time);
      this.statistics.frames += 1;
      this.isDirty = false;
    }
    watch() {
      let before = performance.now();
      const step = (now) => {
        this.bar.advance(Math.min((now - before) / 1000, 0.25));
        before = now;
        if (this.isDirty && !this.isFilming) this.draw();
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
      const refit = () => {
        this.stage.repaint();
        this.stage.resize();
        this.bar.mark();
        this.swatches.forEach((swatch, n) => {
          swatch.style.background = this.stage.theme.things[this.stage.items[n].spec.colour];
        });
        if (this.picker) this.picker.draw(this.run);
        this.change();
      };
      new ResizeObserver(refit).observe(this.stageBox);
      haptos.onTheme(refit);
      if (this.picker) this.picker.draw(this.run);
    }
    get name() {
      const run = this.run === OVERVIEW ? "" : `-run-${this.table.runs[this.run]}`;
      return this.head.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 40) + run;
    }
    picture() {
      return haptos.picture(this.stage, this.head.title);
    }
    async savePicture() {
      haptos.save(await this.picture(), `${this.name}.png`);
    }
    async film(seconds) {
      this.isBusy = this.isFilming = true;
      this.bar.toggle(false);
      this.filmButton.textContent = "Stop";
      try {
        return await haptos.film(this.stage, this.head.title, seconds, (time) => {
          this.bar.set(time);
          this.stage.setTime(time);
        }, (share) => {
          this.tell(`recording ${Math.round(100 * share)} %`);
          return this.isFilming;
        });
      } finally {
        this.isBusy = this.isFilming = false;
        this.filmButton.textContent = "Video";
        this.tell("");
      }
    }
    async saveFilm() {
      if (this.isFilming) this.isFilming = false; // the second press ends the recording
      if (this.isBusy) return;
      const seconds = Math.min((this.bar.last - this.bar.first) / this.bar.factor, 120);
      try {
        const blob = await this.film(seconds);
        haptos.save(blob, `${this.name}.${blob.type.includes("mp4") ? "mp4" : "webm"}`);
      } catch (error) {
        this.tell(error.message);
      }
    }
  }

  haptos.Viewer = Viewer;
  haptos.OVERVIEW = OVERVIEW;
})(window.haptos = window.haptos || {});
