-- Lists of conversations, and the replies of one. Cursors have two members, so that comments of one time are not lost, and none names a
-- row alone, which could be removed. Each comment has the id of its root in a column; a root has its own.

CREATE TABLE comments (
  id TEXT PRIMARY KEY, root TEXT NOT NULL, parent_id TEXT, page TEXT NOT NULL, username TEXT NOT NULL, message TEXT NOT NULL, created_at TEXT NOT NULL
);
CREATE INDEX roots ON comments (page, created_at, id) WHERE parent_id IS NULL;
CREATE INDEX replies ON comments (root, created_at, id) WHERE parent_id IS NOT NULL;

-- A list, newest first, after the cursor: `created_at` and `id` of the twentieth row of the one before. The twenty-first says that there are more.
SELECT * FROM comments WHERE page = ? AND parent_id IS NULL AND (created_at, id) < (?, ?)
  ORDER BY created_at DESC, id DESC LIMIT 21;

-- The first replies of each root of the list.
SELECT * FROM comments WHERE root = ? AND parent_id IS NOT NULL ORDER BY created_at, id LIMIT 20;

-- Those after a cursor of `conversation`; before it: `<` and `DESC`.
SELECT * FROM comments WHERE root = ? AND parent_id IS NOT NULL AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT 101;
