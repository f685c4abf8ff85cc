/** Comments that the service of the demonstration has at its first start. */

import type { StoredPost } from '../service/index.ts';

const HOUR_MS = 3_600_000;

const readers = {
  editor: { user_id: '31001', username: 'Harbour Courier' },
  ada: { user_id: '31007', username: 'Ada Quill' },
  jorg: { user_id: '31018', username: 'Jörg Ünterwald' },
  sophia: { user_id: '31024', username: 'Σοφία Λάσκαρη' },
  noor: { user_id: '31035', username: 'Noor “Ink” al-Haddad' },
  hanan: { user_id: '31042', username: 'حنان الصايغ' },
};

interface Seed {
  readonly slug: string;
  readonly by: keyof typeof readers;
  readonly hoursAgo: number;
  readonly message: string;
  /** Place in the list of the comment that it replies to. */
  readonly to?: number;
  readonly likedBy?: readonly (keyof typeof readers)[];
  readonly isHighlighted?: true;
}

/** Oldest first. */
const seeds: readonly Seed[] = [
  { slug: 'town-clock', by: 'jorg', hoursAgo: 90, message: 'My grandmother set the oven by it. Four minutes of burnt crust is a family recipe now.' },
  { slug: 'lamplighter', by: 'noor', hoursAgo: 76, message: 'She let me carry the pole once, when I was nine. It was taller than the door and I have never been so careful with anything.' },
  { slug: 'lamplighter', by: 'ada', hoursAgo: 75, to: 1, message: 'I remember you! You walked as if it were made of glass.' },
  { slug: 'town-clock', by: 'sophia', hoursAgo: 60, to: 0, message: 'So that is what happened to the rolls.' },
  { slug: 'slow-railway', by: 'ada', hoursAgo: 50, message: 'The 9.14 waited for me when I dropped a glove. I would like to see a fast train do that.' },
  {
    slug: 'lamplighter', by: 'sophia', hoursAgo: 49, likedBy: ['ada', 'jorg', 'noor'], isHighlighted: true,
    message: 'I have read all three drafts, and I would like to be fair to the council.\n\nThe sensor costs little, and the saving is real. But the draft counts only the walk. It does not count the inspection: at every lamp, every day, somebody looks at the valve and the mantle, and smells whether there is gas. A valve that works by itself needs an inspector by law, twice a month. That alone is six thousand a year.\n\nThen there is the pilot. Ships still come in by the row of lights, and the harbour master has asked twice who will tell them when a lamp is out. The answer in the draft is an e-mail address.\n\nSo the saving is perhaps three thousand. For that we would give up the only public service in town that people come out of their houses to watch.',
  },
  { slug: 'lamplighter', by: 'editor', hoursAgo: 48, to: 5, message: 'Thank you. We have asked the works department for the cost of the inspections and will add it to the article.' },
  { slug: 'lamplighter', by: 'hanan', hoursAgo: 30, message: 'كان في حيّنا مصباح واحد بقي يعمل بالغاز حتى عام 1998.\nما زلت أتذكر صوته قبل نوره.' },
  { slug: 'slow-railway', by: 'noor', hoursAgo: 20, message: 'Ninety-one pairs! Bring the surveyor a second cap.' },
  { slug: 'lamplighter', by: 'sophia', hoursAgo: 7, message: 'For those who ask what gaslight costs: the town publishes the figures.\n\nhttps://www.example.com/courier/lamps (page 4)' },
  { slug: 'lamplighter', by: 'jorg', hoursAgo: 2, likedBy: ['noor'], message: 'Keep her. The new lamps at the station hum in B flat.' },
  { slug: 'lamplighter', by: 'editor', hoursAgo: 1, to: 10, message: 'Our music critic went to listen. It is closer to A.' },
];

/** Oldest first. @param origin of the newspaper */
export function seedPosts(origin: string, forum: string, now = Date.now()): readonly StoredPost[] {
  const idOf = (place: number) => String(5_000_000_001 + place);
  return seeds.map(({ slug, by, hoursAgo, message, to, likedBy = [], isHighlighted }, place) => ({
    id: idOf(place), forum, thread: `${origin}/articles/${slug}`, ...readers[by], message, isHighlighted,
    parent: to === undefined ? undefined : idOf(to),
    likedBy: likedBy.map((reader) => readers[reader].user_id),
    createdAt: new Date(now - hoursAgo * HOUR_MS).toISOString(),
  }));
}
