"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const list = document.getElementById("list");
  const more = document.getElementById("more");
  const help = document.getElementById("help");
  const field = (name) => document.getElementById(name);
  const STEP = 100;
  let matching = [];
  let shown = 0;

  // What comes from the checked code only ever becomes text.
  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const message = (text) => {
    const made = element("span", "message");
    text.split(/`([^`]+)`/).forEach((part, index) => made.append(index % 2 ? element("code", "", part) : part));
    return made;
  };

  const words = (finding) =>
    [finding.code, data.rules[finding.code].name, finding.path, finding.function, finding.message].join("\n").toLowerCase();
  const texts = data.findings.map(words);

  const card = (finding) => {
    const made = element("details", "finding");
    made.tabIndex = -1;
    const line = element("summary");
    line.tabIndex = -1;
    line.append(element("span", `code ${finding.severity}`, finding.code));
    line.append(message(finding.message));
    line.append(element("br"));
    line.append(element("span", "place mono", `${finding.path}:${finding.line}:${finding.column}`));
    made.append(line);
    made.addEventListener("toggle", () => made.open && fill(made, finding), { once: true });
    made.finding = finding;
    return made;
  };

  const fill = (made, finding) => {
    if (made.filled) return;
    made.filled = true;
    if (finding.source) made.append(element("pre", "", finding.source));
    for (const note of finding.notes) made.append(element("p", "soft", note));
    const link = element("a", "", `${finding.code} ${data.rules[finding.code].name}`);
    link.href = data.rules[finding.code].url;
    link.rel = "noreferrer";
    made.append(link);
  };

  const extend = (count) => {
    const part = document.createDocumentFragment();
    for (const index of matching.slice(shown, shown + count)) part.append(card(data.findings[index]));
    shown = Math.min(shown + count, matching.length);
    list.append(part);
    more.hidden = shown >= matching.length;
    more.textContent = `Show ${Math.min(STEP, matching.length - shown)} more of ${matching.length - shown}`;
  };

  const apply = () => {
    const wanted = field("text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [rule, severity, folder] = ["rule", "severity", "package"].map((name) => field(name).value);
    matching = [];
    data.findings.forEach((finding, index) => {
      if (rule && finding.code !== rule) return;
      if (severity && finding.severity !== severity) return;
      if (folder && finding.package !== folder) return;
      if (wanted.every((word) => texts[index].includes(word))) matching.push(index);
    });
    list.replaceChildren();
    shown = 0;
    extend(STEP);
    const total = data.findings.length;
    const noun = total === 1 ? "finding" : "findings";
    field("count").textContent = `${matching.length === total ? "" : `${matching.length} of `}${total} ${noun}`;
  };

  const choices = (name, label) => {
    const counts = new Map();
    for (const finding of data.findings) {
      const value = name === "rule" ? finding.code : finding[name];
      counts.set(value, (counts.get(value) || 0) + 1);
    }
    for (const [value, count] of [...counts].sort((one, other) => (one[0] < other[0] ? -1 : 1))) {
      const option = element("option", "", `${label(value)} (${count})`);
      option.value = value;
      field(name).append(option);
    }
  };
  choices("rule", (code) => `${code} ${data.rules[code].name}`);
  choices("severity", (value) => value);
  choices("package", (value) => value);

  const step = (by) => {
    const current = document.activeElement.closest(".finding");
    let next = list.firstElementChild;
    if (current) next = by > 0 ? current.nextElementSibling : current.previousElementSibling;
    if (!next && current && by > 0 && shown < matching.length) {
      extend(STEP);
      next = current.nextElementSibling;
    }
    if (next) {
      next.focus({ preventScroll: true });
      next.scrollIntoView({ block: "center" });
    }
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "Escape" && isTyping) event.target.blur();
    if (isTyping || help.open) return;
    const current = document.activeElement.closest(".finding");
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "?") help.showModal();
    else if (event.key === "/") field("text").focus();
    else if (event.key === "Enter" && current && event.target === current) current.open = !current.open;
    else return;
    event.preventDefault();
  });
  field("filters").addEventListener("input", apply);
  field("filters").addEventListener("submit", (event) => event.preventDefault());
  field("filters").addEventListener("reset", () => setTimeout(apply));
  more.addEventListener("click", () => extend(STEP));
  window.addEventListener("beforeprint", () => {
    extend(matching.length);
    for (const made of list.children) {
      fill(made, made.finding);
      made.open = true;
    }
  });
  for (const link of document.querySelectorAll("a[data-rule]")) {
    link.addEventListener("click", () => {
      field("rule").value = link.dataset.rule;
      apply();
    });
  }
  for (const link of document.querySelectorAll("a[data-package]")) {
    link.addEventListener("click", () => {
      field("package").value = link.dataset.package;
      apply();
    });
  }
  apply();
})();
