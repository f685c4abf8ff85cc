/**
 * Language of an element's phrases: the nearest `lang` around it, else the browser's, else English. English is built in; any
 * other language is loaded, once for all elements.
 */

import type { LitElement, ReactiveController } from 'lit';
import { Part } from '../lib/part.ts';
import type { Language, Registration } from './language.ts';
import { loadLanguage, type FoundLanguage } from './languages.ts';
import { parseStrings, withOwn, type OwnStrings } from './own-strings.ts';

/** Languages that the page has registered, the latest last. */
const registered: Registration[] = [];
/** Elements in a document. */
const hosts = new Set<LitElement>();
/** By the tags that are wanted: see `wantedBy`. */
const parts = new Map<string, Part<FoundLanguage>>();

const updateAll = (): void => {
  for (const host of hosts) host.requestUpdate();
};

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
  void partOf(wantedBy(element))?.load().catch(() => {});
}

/** The tags, in the order of preference, after the number of registered languages: one of them may replace what has loaded. */
function wantedBy(element: Element): string {
  const around = languageAround(element);
  return [registered.length, ...around ? [around] : [], ...navigator.languages ?? []].join();
}

/** `undefined`: English, of which the page has registered no other version. */
function partOf(wanted: string): Part<FoundLanguage> | undefined {
  if (/^0,en\b/i.test(wanted)) return undefined;
  const part = parts.get(wanted) ?? new Part(() => loadLanguage(wanted.split(',').slice(1), registered), {
    onChange: updateAll, onFailure: () => {},
  });
  parts.set(wanted, part);
  return part;
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
  #part: Part<FoundLanguage> | undefined;
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
   *  @param isWanted as of `Part` */
  retry(isWanted = false): void {
    if (this.#part?.hasFailed) void this.#part.load(isWanted).catch(() => {});
  }

  readonly #onOnline = (): void => this.retry(true);

  /** For those who are about to show its phrases. Never rejects: English stands in for a language that does not load. */
  async ready(): Promise<void> {
    await this.#part?.load().catch(() => {});
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
      this.#part = partOf(wanted);
      this.#isFailureReported = false;
      void this.#part?.load().catch(() => {});
    }
    const { module, hasFailed } = this.#part ?? { module: undefined, hasFailed: false };
    if (hasFailed && !this.#isFailureReported) this.#onLoadError();
    this.#isFailureReported = hasFailed;
    if (this.#part && !module && !hasFailed) return;
    this.#found = module;
    this.direction = module?.language?.direction ?? 'ltr';
  }
}
