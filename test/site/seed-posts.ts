/** Comments that the demonstration has at its first start. */

import type { StoredPost } from '../service/index.ts';

const HOUR_MS = 3_600_000;

const readers = {
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
}

/** Oldest first. */
const seeds: readonly Seed[] = [
  { slug: 'town-clock', by: 'jorg', hoursAgo: 90, message: 'My grandmother set the oven by it. Four minutes of burnt crust is a family recipe now.' },
  { slug: 'lamplighter', by: 'noor', hoursAgo: 76, message: 'She let me carry the pole once, when I was nine. It was taller than the door and I have never been so careful with anything.' },
  { slug: 'slow-railway', by: 'ada', hoursAgo: 50, message: 'The 9.14 waited for me when I dropped a glove. I would like to see a fast train do that.' },
  { slug: 'lamplighter', by: 'hanan', hoursAgo: 30, message: 'كان في حيّنا مصباح واحد بقي يعمل بالغاز حتى عام 1998.\nما زلت أتذكر صوته قبل نوره.' },
  {
    slug: 'lamplighter', by: 'sophia', hoursAgo: 7,
    message: 'For those who ask what gaslight costs: the town publishes the figures.\n\nhttps://www.example.com/courier/lamps (page 4)',
  },
  { slug: 'lamplighter', by: 'jorg', hoursAgo: 2, message: 'Keep her. The new lamps at the station hum in B flat.' },
];

/** @param origin of the newspaper */
export function seedPosts(origin: string, forum: string, now = Date.now()): StoredPost[] {
  return seeds.map(({ slug, by, hoursAgo, message }, index) => ({
    id: String(5_000_000_001 + index), forum, thread: `${origin}/articles/${slug}`, message, ...readers[by],
    createdAt: new Date(now - hoursAgo * HOUR_MS).toISOString(),
  }));
}
