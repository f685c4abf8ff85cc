/** The text of a comment in pieces: plain text and links. */

import { parseUrl } from '../lib/parse-url.ts';

export interface Link {
  readonly text: string;
  readonly href: string;
}

/** Further URLs of a comment stay text. */
const MAX_LINKS = 50;

/** In scripts without spaces a letter may stand before; before a scheme, what could be part of a longer one may not. */
const START = /(?<![a-z0-9+.-])https?:\/\/|(?<![a-z0-9+.@/-])www\./gi;

/** A longer URL stays text. */
const MAX_LENGTH = 2_048;

/** Up to white space, quotes, CJK punctuation, and characters that show nothing or change the direction of text; a character more
 *  than a URL may have. */
const URL_TEXT = /[^\s<>"`{}|\\^«»“”‘\p{Cc}\p{Cf}\u3000-\u303f\uff00-\uffef]{0,2049}/uy;

/** Of the sentence around the URL, in any script, and of Markdown. */
const PUNCTUATION = new Set('.,:;!?…*_~\'’–—·\u037e՝՜՞։׃؟،؛۔।॥།၊။።፣፤፥፦។៕๚๛');

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

/** Links lead to http and https only, and to no address with credentials. */
export function splitLinks(text: string): readonly (string | Link)[] {
  const parts: (string | Link)[] = [];
  let end = 0;
  START.lastIndex = 0;
  for (let match; parts.length < 2 * MAX_LINKS && (match = START.exec(text));) {
    URL_TEXT.lastIndex = match.index;
    const [candidate] = URL_TEXT.exec(text)!;
    const url = trimmed(candidate);
    const href = url.length > MAX_LENGTH ? undefined : hrefOf(url);
    if (href === undefined) {
      // What stands in it is no other link, and is not read again.
      START.lastIndex = match.index + candidate.length;
      continue;
    }
    parts.push(text.slice(end, match.index), { text: url, href });
    end = START.lastIndex = match.index + url.length;
  }
  return [...parts, text.slice(end)];
}

/** Without what belongs to the sentence: pairs of brackets, and apostrophes between letters, are part of the URL. */
function trimmed(text: string): string {
  const open: { readonly bracket: string; readonly index: number }[] = [];
  let end = 0;
  for (; end < text.length; end += 1) {
    const character = text[end]!;
    if ('(['.includes(character)) open.push({ bracket: character, index: end });
    else if (PAIRS[character] !== undefined) {
      if (open.at(-1)?.bracket !== PAIRS[character]) break;
      open.pop();
    } else if ('\'’'.includes(character) && !/[\p{L}\p{N}]['’][\p{L}\p{N}]/u.test(text.slice(end - 1, end + 2))) break;
  }
  end = Math.min(end, ...open.slice(0, 1).map(({ index }) => index));
  while (PUNCTUATION.has(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** `undefined`: no address. */
function hrefOf(url: string): string | undefined {
  const isBare = /^www/i.test(url);
  const { href, hostname = '', username, password } = parseUrl(isBare ? `https://${url}` : url) ?? {};
  return username || password || (isBare && hostname.split('.').length < 3) ? undefined : href;
}
