/** Formats of `Intl`: a browser needs far longer to create one than to use it. */

/** Creates the format of each language once, when it is first used. */
export function byLanguage<Format>(create: (tag: string) => Format): (tag: string) => Format {
  const formats = new Map<string, Format>();
  return (tag) => {
    const format = formats.get(tag) ?? create(tag);
    formats.set(tag, format);
    return format;
  };
}
