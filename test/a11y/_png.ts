/** Reads the PNG of a screenshot, and compresses it without loss (PNG specification, sections 9 and 10): three channels if it is
 *  opaque, a palette for at most 256 colours, the best filter per line, the highest deflate level. */

import { deflateSync, inflateSync, crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUECOLOUR = 2;
const INDEXED = 3;
const TRUECOLOUR_ALPHA = 6;

interface Image {
  readonly width: number;
  readonly height: number;
  /** Bytes per pixel. */
  readonly channels: number;
  readonly pixels: Buffer;
}

/** @param png eight bits per channel, without palette and interlacing, as browsers write screenshots */
export function shrinkPng(png: Buffer): Buffer {
  const image = withoutAlpha(decodePng(png));
  const truecolour = encode(image, image.channels === 4 ? TRUECOLOUR_ALPHA : TRUECOLOUR);
  const palette = image.channels === 3 ? paletteOf(image) : undefined;
  const indexed = palette && encode(palette.image, INDEXED, palette.colours);
  return indexed && indexed.length < truecolour.length ? indexed : truecolour;
}

/** @param png as for `shrinkPng` */
export function decodePng(png: Buffer): Image {
  const chunks = [...chunksOf(png)];
  const header = chunks.find(({ type }) => type === 'IHDR')!.data;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colour, , , interlaced] = header.subarray(8);
  if (depth !== 8 || interlaced !== 0 || (colour !== TRUECOLOUR && colour !== TRUECOLOUR_ALPHA)) throw new Error('not a screenshot');
  const channels = colour === TRUECOLOUR ? 3 : 4;
  const lines = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = lines[y * (stride + 1)]!;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      pixels[at] = lines[y * (stride + 1) + 1 + x]! + predict(filter, neighbours(pixels, at, { x, y, stride, channels }));
    }
  }
  return { width, height, channels, pixels };
}

function* chunksOf(png: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

function withoutAlpha({ width, height, channels, pixels }: Image): Image {
  if (channels === 3) return { width, height, channels, pixels };
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return { width, height, channels, pixels };
  return { width, height, channels: 3, pixels: Buffer.from(pixels.filter((_, index) => index % 4 !== 3)) };
}

function paletteOf({ width, height, pixels }: Image): { image: Image; colours: Buffer } | undefined {
  const places = new Map<number, number>();
  const indexes = Buffer.alloc(width * height);
  for (let at = 0; at < indexes.length; at += 1) {
    const colour = pixels.readUIntBE(at * 3, 3);
    const place = places.get(colour) ?? places.size;
    if (place > 255) return undefined;
    places.set(colour, place);
    indexes[at] = place;
  }
  const colours = Buffer.alloc(places.size * 3);
  for (const [colour, place] of places) colours.writeUIntBE(colour, place * 3, 3);
  return { image: { width, height, channels: 1, pixels: indexes }, colours };
}

function encode(image: Image, colour: number, palette?: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, colour, 0, 0, 0]);
  header.writeUInt32BE(image.width, 0);
  header.writeUInt32BE(image.height, 4);
  const unfiltered = deflateSync(filterLines(image, [0]), { level: 9 });
  const filtered = deflateSync(filterLines(image, [0, 1, 2, 3, 4]), { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', palette)] : []),
    chunk('IDAT', filtered.length < unfiltered.length ? filtered : unfiltered),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Chooses per line the filter with the smallest differences. */
function filterLines({ width, height, channels, pixels }: Image, filters: readonly number[]): Buffer {
  const stride = width * channels;
  const lines: Buffer[] = [];
  for (let y = 0; y < height; y += 1) {
    const attempts = filters.map((filter) => {
      const line = Buffer.alloc(stride + 1, filter);
      let sum = 0;
      for (let x = 0; x < stride; x += 1) {
        const at = y * stride + x;
        line[x + 1] = pixels[at]! - predict(filter, neighbours(pixels, at, { x, y, stride, channels }));
        sum += Math.min(line[x + 1]!, 256 - line[x + 1]!);
      }
      return { line, sum };
    });
    lines.push(attempts.reduce((best, attempt) => (attempt.sum < best.sum ? attempt : best)).line);
  }
  return Buffer.concat(lines);
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly stride: number;
  readonly channels: number;
}

type Neighbours = readonly [left: number, up: number, upLeft: number];

function neighbours(pixels: Buffer, at: number, { x, y, stride, channels }: Place): Neighbours {
  const [hasLeft, hasUp] = [x >= channels, y > 0];
  return [
    hasLeft ? pixels[at - channels]! : 0,
    hasUp ? pixels[at - stride]! : 0,
    hasLeft && hasUp ? pixels[at - stride - channels]! : 0,
  ];
}

function predict(filter: number, [left, up, upLeft]: Neighbours): number {
  switch (filter) {
    case 1: return left;
    case 2: return up;
    case 3: return (left + up) >> 1;
    case 4: {
      const guess = left + up - upLeft;
      const [toLeft, toUp, toUpLeft] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - upLeft)];
      return toLeft <= toUp && toLeft <= toUpLeft ? left : toUp <= toUpLeft ? up : upLeft;
    }
    default: return 0;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
