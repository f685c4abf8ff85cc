/** What Orca speaks, step by step, and the phrases that it should speak. */

import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import * as ar from '../../packages/widget/src/locales/ar.ts';
import * as de from '../../packages/widget/src/locales/de.ts';
import { actionStrings } from '../../packages/widget/src/locales/en-actions.ts';
import { commentsStrings } from '../../packages/widget/src/locales/en-comments.ts';
import { entryStrings } from '../../packages/widget/src/locales/en-entries.ts';
import { problemStrings } from '../../packages/widget/src/locales/en-problems.ts';
import { syncStrings } from '../../packages/widget/src/locales/en-sync.ts';
import { threadStrings } from '../../packages/widget/src/locales/en-thread.ts';
import { coreStrings } from '../../packages/widget/src/locales/en.ts';
import type { Desktop } from './_desktop.ts';

const languages = {
  en: {
    core: coreStrings, comments: commentsStrings, entries: entryStrings, sync: syncStrings, thread: threadStrings,
    problems: problemStrings, actions: actionStrings,
  },
  de, ar,
} as const;

export type Language = keyof typeof languages;

export const phrasesOf = (language: Language) => languages[language] as typeof languages.en;

/** How long a sentence may take. */
const DEADLINE_MS = 30_000;

export class Ear {
  readonly faults: string[] = [];
  readonly #desktop: Desktop;
  readonly #name: string;

  constructor(desktop: Desktop, name: string) {
    this.#desktop = desktop;
    this.#name = name;
  }

  /** @param expected parts of sentences: each is in one utterance since the step began
   *  @param isNavigation Orca may read a place twice: at its focus, and when its page loads or its description changes */
  async step(what: string, act: () => Promise<void>, expected: readonly string[], isNavigation = false): Promise<void> {
    const start = (await this.#desktop.spoken()).length;
    await act();
    const heard = async () => (await this.#desktop.spoken()).slice(start);
    const giveUpAt = Date.now() + DEADLINE_MS;
    let heardNow = await heard();
    while (!expected.every((words) => countOf(words, heardNow) > 0) && Date.now() < giveUpAt) {
      await setTimeout(200);
      heardNow = await heard();
    }
    await this.#desktop.quiet(2_000);
    heardNow = await heard();
    const faults = [
      ...expected.map((words) => [words, countOf(words, heardNow)] as const)
        .filter(([, count]) => count === 0 || (count > 1 && !isNavigation))
        .map(([words, count]) => `“${words}” is spoken ${count} times`),
      ...heardNow.filter((words, index) => !isNavigation && / \S+ /.test(words) && heardNow.indexOf(words) !== index)
        .map((words) => `“${words}” is spoken again`),
    ];
    this.faults.push(...faults.map((fault) => `${what}: ${fault}`));
    const line = `${this.#name} · ${what}: ${heardNow.join(' | ')}${faults.map((fault) => `\n    FAULT ${fault}`).join('')}\n`;
    if (process.env['EAR_LOG']) appendFileSync(process.env['EAR_LOG'], line);
  }

  /** Presses Tab until the element is spoken. */
  async tabTo(words: string, key = 'Tab', most = 60): Promise<void> {
    for (let count = 0; count < most; count += 1) {
      const start = (await this.#desktop.spoken()).length;
      await this.#desktop.press(key);
      for (let tries = 0; tries < 50 && (await this.#desktop.spoken()).length === start; tries += 1) await setTimeout(100);
      await this.#desktop.quiet(900);
      if ((await this.#desktop.spoken()).slice(start).some((said) => said.includes(words))) return;
    }
    throw new Error(`${this.#name}: ${key} does not lead to “${words}”`);
  }
}

const countOf = (words: string, heard: readonly string[]): number => heard.filter((said) => said.includes(words)).length;

/** The phrase up to its first value. */
export const begin = (phrase: string): string => phrase.split('{')[0]!.trim();
