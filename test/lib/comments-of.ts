/** The comments in a file of `VESTIBULE_THREADS=sqlite:PATH`, read beside the processes that use it. */

import { DatabaseSync } from 'node:sqlite';

export interface FiledComment {
  readonly id: string;
  readonly state: string;
  readonly text: string;
}

/** In the order in which they were stored. @throws {Error} if counts are not those of the comments */
export function commentsOf(path: string): readonly FiledComment[] {
  using db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  db.exec('BEGIN');
  const wrong = [
    "SELECT 'article' FROM article WHERE shown <> (SELECT count(*) FROM comment WHERE article = article.n AND state = 'published')",
    "SELECT 'conversation' FROM conversation WHERE shown <> (SELECT count(*) FROM comment WHERE root = conversation.root AND state = 'published')",
    `SELECT 'below' FROM comment AS one WHERE below <> (WITH RECURSIVE tree (n) AS (
      SELECT n FROM comment WHERE parent = one.n UNION ALL SELECT comment.n FROM comment JOIN tree ON comment.parent = tree.n
    ) SELECT count(*) FROM tree JOIN comment USING (n) WHERE state = 'published')`,
    "SELECT 'likes' FROM comment WHERE likes <> (SELECT count(*) FROM liked WHERE comment = comment.n)",
  ].flatMap((sql) => db.prepare(sql).all());
  if (wrong.length > 0) throw new Error(`counts are wrong: ${JSON.stringify(wrong)}`);
  return db.prepare('SELECT id, state, text FROM comment ORDER BY n').all() as unknown as readonly FiledComment[];
}
