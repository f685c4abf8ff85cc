/** The text of a post in pieces: plain text and links. Renders nothing, so a template decides what becomes of them. */

export type TextSegment =
  | { readonly kind: 'text'; readonly text: string }
  /** `text` as it was written, an absolute http or https URL. */
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

/** Further URLs of a post stay text. */
const MAX_LINKS = 50;

/** Ends at white space, quotes and brackets that URLs do not contain, CJK punctuation, and characters that show nothing or change
 *  the direction of text. */
const URL_TEXT = /(?<![\p{L}\p{N}])https?:\/\/[^\s<>"'`{}|\\^«»“”‘’\p{Cc}\p{Cf}\u3000-\u303f\uff00-\uffef]+/giu;

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

/** Links lead to http and https only, and to no address with credentials. */
export function splitLinks(text: string): TextSegment[] {
  const segments: TextSegment[] = [];
  let end = 0;
  let links = 0;
  for (const { 0: match, index } of text.matchAll(URL_TEXT)) {
    const written = withoutPunctuation(match);
    const href = links < MAX_LINKS ? safeHref(written) : undefined;
    if (href === undefined) continue;
    if (index > end) segments.push({ kind: 'text', text: text.slice(end, index) });
    segments.push({ kind: 'link', text: written, href });
    end = index + written.length;
    links += 1;
  }
  if (end < text.length) segments.push({ kind: 'text', text: text.slice(end) });
  return segments;
}

/** Without the punctuation of the sentence around the URL. A closing bracket belongs to the URL if that opens it. */
function withoutPunctuation(url: string): string {
  const count = (character: string): number => url.split(character).length - 1;
  const surplus: Record<string, number> = {};
  for (const [closing, opening] of Object.entries(OPENING)) surplus[closing] = count(closing) - count(opening);
  let end = url.length;
  for (; end > 0; end -= 1) {
    const last = url[end - 1]!;
    if (last in OPENING) {
      if (surplus[last]! <= 0) break;
      surplus[last]! -= 1;
    } else if (!/[.,:;!?…]/.test(last)) {
      break;
    }
  }
  return url.slice(0, end);
}

function safeHref(written: string): string | undefined {
  const url = URL.parse(written);
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url.href : undefined;
}

/** Longer posts are shown in part at first. */
const EXCERPT_LENGTH = 1200;
const EXCERPT_LINES = 16;

/** The beginning of `text`; `undefined` if it is short. Ends between words, so that no URL is cut, if there are any. */
export function excerpt(text: string): string | undefined {
  let end = Math.min(text.length, EXCERPT_LENGTH);
  let lineEnd = -1;
  for (let line = 0; line < EXCERPT_LINES; line += 1) {
    lineEnd = text.indexOf('\n', lineEnd + 1);
    if (lineEnd < 0 || lineEnd > end) break;
    if (line === EXCERPT_LINES - 1) end = lineEnd;
  }
  if (end === text.length) return undefined;
  const beginning = text.slice(0, end + 1);
  const wordEnd = beginning.search(/\s\S*$/);
  return text.slice(0, wordEnd > end / 2 ? wordEnd : characterEnd(text, end));
}

/** Before a character that would be cut in two, as a reader sees characters; one that fills half of the text is cut. */
function characterEnd(text: string, end: number): number {
  const { index } = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text).containing(end)!;
  if (index > end / 2) return index;
  return /[\udc00-\udfff]/.test(text[end]!) ? end - 1 : end;
}
