/**
 * Language of an element's phrases: the nearest `lang` around it, else the browser's, else English. English is built in; any
 * other language is loaded, once for all elements.
 */

import type { LitElement, ReactiveController } from 'lit';
import { loadLanguage, type FoundLanguage } from './languages.ts';
import { parseStrings, withOwn, type OwnStrings } from './own-strings.ts';

/** Elements in a document. */
const hosts = new Set<LitElement>();
/** By the tags that are wanted, in the order of preference. */
const loads = new Map<string, LanguageLoad>();
/** How soon a language that did not load is requested again when the reader acts, in ms. */
const RETRY_AFTER_MS = 10_000;

function updateAll(): void {
  for (const host of hosts) host.requestUpdate();
}

/** Not a `Part`: that is in the script of each page, this in a chunk that imports nothing of it. */
class LanguageLoad {
  language: FoundLanguage | undefined;
  /** Why its last load has failed; also while it is requested again. */
  error: unknown;
  /** Never rejects. */
  done: Promise<void>;
  /** In milliseconds since the epoch; `undefined` during a load and after one that succeeded. */
  #failedAt: number | undefined;
  readonly #wanted: string;

  constructor(wanted: string) {
    this.#wanted = wanted;
    this.done = this.#load();
  }

  /** @param isWanted at once, although it has just failed */
  retry(isWanted: boolean): void {
    if (this.#failedAt !== undefined && (isWanted || Date.now() - this.#failedAt > RETRY_AFTER_MS)) this.done = this.#load();
  }

  async #load(): Promise<void> {
    this.#failedAt = undefined;
    try {
      this.language = await loadLanguage(this.#wanted.split(','));
      this.error = undefined;
    } catch (error) {
      this.error = error;
      this.#failedAt = Date.now();
    }
    updateAll();
  }
}

/** BCP 47 tag of the nearest `lang`, across shadow roots as HTML inherits it; empty without one. */
export function languageAround(element: Element): string {
  const { host } = element.getRootNode() as Partial<ShadowRoot>;
  return element.closest('[lang]')?.getAttribute('lang')!.replaceAll('_', '-') ?? (host ? languageAround(host) : '');
}

/** Loads the language of an element. Rejects if it does not load. */
export async function loadLanguageOf(element: Element): Promise<void> {
  const load = loadOf(wantedBy(element));
  load?.retry(true);
  await load?.done;
  if (load?.error) throw load.error;
}

function wantedBy(element: Element): string {
  const around = languageAround(element);
  return [...around ? [around] : [], ...navigator.languages ?? []].join();
}

/** `undefined`: English. */
function loadOf(wanted: string): LanguageLoad | undefined {
  if (/^en\b/i.test(wanted)) return undefined;
  const load = loads.get(wanted) ?? new LanguageLoad(wanted);
  loads.set(wanted, load);
  return load;
}

/** Renders its element again when the language around it has changed or another one has loaded. */
export class Localizer implements ReactiveController {
  /** Of the language that is shown. `undefined` until the first one has loaded: the page's direction then applies, which is
   *  most likely the same, so that nothing moves. */
  direction: 'ltr' | 'rtl' | undefined;
  /** `undefined`: English. */
  #found: FoundLanguage | undefined;
  #wanted = '';
  /** `undefined`: it needs none. */
  #load: LanguageLoad | undefined;
  #isFailureReported = false;
  readonly #observer = new MutationObserver(() => this.#host.requestUpdate());
  readonly #host: LitElement;
  readonly #onLoadError: () => void;

  /** @param onLoadError a load has failed, the first of consecutive ones: the language before stays, for a form English */
  constructor(host: LitElement, onLoadError: () => void = () => {}) {
    this.#host = host;
    this.#onLoadError = onLoadError;
    host.addController(this);
  }

  /** BCP 47 tag of the phrases, for their own texts only. */
  get tag(): string {
    return this.#found?.tag ?? 'en';
  }

  /** BCP 47 tag of the language around the element, for texts that are not the widget's own; empty without one. */
  get around(): string {
    return languageAround(this.#host);
  }

  /** The strings of one stage: the page's `own`, else those of the language, else `english`. */
  strings<S extends object>(stage: keyof OwnStrings, english: S, own?: OwnStrings | string): S {
    const { language } = this.#found ?? {};
    return withOwn(withOwn(english, language?.[stage]), parseStrings(own)?.[stage]);
  }

  /** Loads the language again if that has failed. By itself, that happens when the browser is online again.
   *  @param isWanted at once, although it has just failed */
  retry(isWanted = false): void {
    this.#load?.retry(isWanted);
  }

  readonly #onOnline = (): void => this.retry(true);

  hostConnected(): void {
    hosts.add(this.#host);
    // An element that comes back may be in another place, or the language around it may be another one.
    this.#host.requestUpdate();
    addEventListener('online', this.#onOnline);
    // The element's own root, then those of the hosts around it.
    let element: Element | undefined = this.#host;
    while (element) {
      const root = element.getRootNode();
      this.#observer.observe(root, { attributeFilter: ['lang'], subtree: true });
      element = (root as Partial<ShadowRoot>).host;
    }
  }

  hostDisconnected(): void {
    hosts.delete(this.#host);
    removeEventListener('online', this.#onOnline);
    this.#observer.disconnect();
  }

  hostUpdate(): void {
    this.#follow();
  }

  /** Shows what has loaded, and the language before until then. A form whose first language does not load is in English. */
  #follow(): void {
    const wanted = wantedBy(this.#host);
    if (wanted !== this.#wanted) {
      this.#wanted = wanted;
      this.#load = loadOf(wanted);
      this.#load?.retry(false);
      this.#isFailureReported = false;
    }
    const { language: found, error } = this.#load ?? {};
    const hasFailed = error !== undefined;
    if (hasFailed && !this.#isFailureReported) this.#onLoadError();
    this.#isFailureReported = hasFailed;
    if (this.#load && !found && (!hasFailed || this.direction)) return;
    this.#found = found;
    this.direction = found?.language?.direction ?? 'ltr';
  }
}
