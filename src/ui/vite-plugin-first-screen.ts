import { readFile } from "node:fs/promises";

import type { Plugin } from "vite";
import { parse } from "yaml";
import { z } from "zod";

import { WELCOME } from "./components/page/welcome-words.js";
import { TASK_TITLES } from "./tasks/task-titles.js";

const PLACE = "<!-- first screen -->";
const Task = z.object({ task: z.string() });

/**
 * Writes into index.html what the page shows first, so that it can be read before scripts have run. `DemoPage` draws the
 * same in its place, with buttons that work.
 */
export function firstScreen(): Plugin {
  return {
    name: "vitrine:first-screen",
    async transformIndexHtml(page) {
      return page.includes(PLACE) ? page.replace(PLACE, await draw()) : page;
    },
  };
}

async function draw(): Promise<string> {
  const offers = await Promise.all(Object.entries(TASK_TITLES).map(([id, title]) => offer(id, title)));
  return `
      <header class="bar">
        <div class="top-bar">
          <p class="brand">
            <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" aria-hidden="true">
              <path d="M4 8.5 12 4l8 4.5v9L12 22l-8-4.5z" stroke-linejoin="round" />
              <path d="M4 8.5 12 13l8-4.5M12 13v9" stroke-linejoin="round" opacity=".55" />
            </svg>
            Vitrine
          </p>
          <noscript><span class="chip warn">Python in this page needs JavaScript</span></noscript>
        </div>
      </header>
      <div></div>
      <div class="columns">
        <main class="work">
          <div>
            <div class="transcript">
              <div class="inner">
                <div class="welcome">
                  <h1>${text(WELCOME.title)}</h1>
                  <p>${text(WELCOME.lead)}</p>
                  <div class="row">
                    ${[WELCOME.file, WELCOME.python, WELCOME.model].map((label) => `<span class="btn" aria-hidden="true">${text(label)}</span>`).join("")}
                  </div>
                  <h2>${text(WELCOME.tasks)}</h2>
                  <p>${text(WELCOME.recorded)}</p>
                  <ul class="offers">${offers.join("")}</ul>
                </div>
              </div>
            </div>
          </div>
          <div class="composer"><div class="inner"><div class="box waits"></div><div class="under waits"></div></div></div>
        </main>
        <div id="shelf"></div>
      </div>
    `;
}

async function offer(id: string, title: string): Promise<string> {
  const source = await readFile(new URL(`./tasks/${id}.yaml`, import.meta.url), "utf8");
  const { task } = Task.parse(parse(source));
  return `<li><div class="offer"><b>${text(title)}</b><span>${text(task.trim())}</span></div></li>`;
}

function text(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
