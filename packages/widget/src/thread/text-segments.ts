/** The text of a comment in pieces: plain text and links. */

export interface Link {
  readonly text: string;
  readonly href: string;
}

/** Further URLs of a comment stay text. */
const MAX_LINKS = 50;

/** White space, quotes, brackets, CJK punctuation, and characters that show nothing or change the direction of text. */
const OUTSIDE = String.raw`\s<>()[\]"'\x60{}|\\^«»“”‘’\p{Cc}\p{Cf}\u3000-\u303f\uff00-\uffef`;

/** A pair of brackets belongs to the URL, the punctuation of the sentence around it does not. */
const PAIR = String.raw`\([^${OUTSIDE}]*\)|\[[^${OUTSIDE}]*\]`;
const URL_TEXT = new RegExp(String.raw`(?<![\p{L}\p{N}])(https?://(?:[^${OUTSIDE}]|${PAIR})*(?:[^${OUTSIDE}.,:;!?…]|${PAIR}))`, 'iu');

/** Links lead to http and https only, and to no address with credentials. */
export function splitLinks(text: string): readonly (string | Link)[] {
  return text.split(URL_TEXT).map((part, index) => {
    const url = index % 2 && index < 2 * MAX_LINKS ? URL.parse(part) : null;
    return url?.protocol.startsWith('http') && !url.username && !url.password ? { text: part, href: url.href } : part;
  });
}

/** Longer comments are shown in part at first. */
const EXCERPT_LENGTH = 1200;
const EXCERPT_LINES = 16;

/** The beginning of `text`; `undefined` if it is short. Ends between words, so that no URL is cut, else between characters. */
export function excerpt(text: string): string | undefined {
  const end = Math.min(EXCERPT_LENGTH, text.split('\n', EXCERPT_LINES).join('\n').length);
  if (end === text.length) return undefined;
  const wordEnd = text.slice(0, end + 1).search(/\s\S*$/);
  return text.slice(0, wordEnd > end / 2 ? wordEnd : new Intl.Segmenter().segment(text).containing(end)!.index);
}
