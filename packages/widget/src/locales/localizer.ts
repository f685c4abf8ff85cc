/**
 * Language of an element's phrases: the nearest `lang` around it, else the browser's, else English. English is built in; any
 * other language is loaded, once for all elements.
 */

import type { LitElement, ReactiveController } from 'lit';
import type { Language, Registration } from './language.ts';
import { loadLanguage, type FoundLanguage } from './languages.ts';
import { parseStrings, withOwn, type OwnStrings } from './own-strings.ts';

/** Languages that the page has registered, the latest last. */
const registered: Registration[] = [];
/** Elements in a document. */
const hosts = new Set<LitElement>();
/** By the tags that are wanted: see `wantedBy`. */
const loads = new Map<string, LanguageLoad>();
/** How soon a language that did not load is requested again when the reader acts, in ms. */
const RETRY_AFTER_MS = 10_000;

function updateAll(): void {
  for (const host of hosts) host.requestUpdate();
}

/** Not a `Part`: that is in the script of each page, this in a chunk that imports nothing of it. */
class LanguageLoad {
  language: FoundLanguage | undefined;
  /** Its last load has failed; also while it is requested again. */
  hasFailed = false;
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
      this.language = await loadLanguage(this.#wanted.split(',').slice(1), registered);
      this.hasFailed = false;
    } catch {
      this.hasFailed = true;
      this.#failedAt = Date.now();
    }
    updateAll();
  }
}

/**
 * Adds a language, or replaces one, for all elements; those on the page turn to it at once. English stands in for phrases that
 * it lacks.
 * @param tag BCP 47: a language, or a language with a script or a region
 * @throws RangeError if `tag` is no language tag
 */
export function registerLanguage(tag: string, language: Language): void {
  registered.push([Intl.getCanonicalLocales(tag)[0]!, language]);
  updateAll();
}

/** BCP 47 tag of the nearest `lang`, across shadow roots as HTML inherits it; empty without one. */
export function languageAround(element: Element): string {
  const { host } = element.getRootNode() as Partial<ShadowRoot>;
  return element.closest('[lang]')?.getAttribute('lang')!.replaceAll('_', '-') ?? (host ? languageAround(host) : '');
}

/** Loads the language of an element whose script is on its way. */
export function preloadLanguage(element: Element): void {
  loadOf(wantedBy(element));
}

/** The tags, in the order of preference, after the number of registered languages: one of them may replace what has loaded. */
function wantedBy(element: Element): string {
  const around = languageAround(element);
  return [registered.length, ...around ? [around] : [], ...navigator.languages ?? []].join();
}

/** `undefined`: English, of which the page has registered no other version. */
function loadOf(wanted: string): LanguageLoad | undefined {
  if (/^0,en\b/i.test(wanted)) return undefined;
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

  /** @param onLoadError a load has failed, the first of consecutive ones: the element is in English until one succeeds */
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

  /** For those who are about to show its phrases. Never rejects: English stands in for a language that does not load. */
  async ready(): Promise<void> {
    await this.#load?.done;
    this.#follow();
  }

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

  /** Shows what has loaded, and the language before until then. */
  #follow(): void {
    const wanted = wantedBy(this.#host);
    if (wanted !== this.#wanted) {
      this.#wanted = wanted;
      this.#load = loadOf(wanted);
      this.#load?.retry(false);
      this.#isFailureReported = false;
    }
    const { language: found, hasFailed } = this.#load ?? { language: undefined, hasFailed: false };
    if (hasFailed && !this.#isFailureReported) this.#onLoadError();
    this.#isFailureReported = hasFailed;
    if (this.#load && !found && !hasFailed) return;
    this.#found = found;
    this.direction = found?.language?.direction ?? 'ltr';
  }
}
