/** Survivors of `npm run test:mutants` that change no behaviour. Every other survivor needs a better test, or its code is
 *  removed. */

export interface EquivalentMutant {
  /** Below `src` of a package. */
  readonly file: string;
  /** The line or lines, with single spaces. */
  readonly code: string;
  /** The same lines with the change. */
  readonly mutant: string;
  readonly reason: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: 'drafts/draft-owner.ts',
    code: 'if (!account) return;',
    mutant: 'if (false) return;',
    reason: 'Without a hint no record is newer than its time, which is `undefined`.',
  },
  {
    file: 'sync/sync-controller.ts',
    code: 'if (step.name !== \'questions\' || message?.kind !== \'answers\') return;',
    mutant: 'if (false || message?.kind !== \'answers\') return;',
    reason: 'Only the questions have a message about answers; the comparison is for the compiler.',
  },
  {
    file: 'session/session-channel.ts',
    code: 'base: URL, change: SessionChange, openerOrigins: readonly string[] = [], instance?: string,',
    mutant: 'base: URL, change: SessionChange, openerOrigins: readonly string[] = ["Stryker was here"], instance?: string,',
    reason: 'A text that is no origin gets no message.',
  },
  {
    file: 'session/session-store.ts',
    code: 'this.#generation += 1;',
    mutant: 'this.#generation -= 1;',
    reason: 'Generations are compared for equality only.',
  },
  {
    file: 'drafts/stored-records.ts',
    code: 'const [, kind, bff, account, forum, page] = STORAGE_KEY.exec(key) ?? [];',
    mutant: 'const [, kind, bff, account, forum, page] = STORAGE_KEY.exec(key) ?? ["Stryker was here"];',
    reason: 'Nothing reads the first element.',
  },
  {
    file: 'drafts/sign-out-cleanup.ts',
    code: 'const unowned = hint && hint.account === owner ? unownedDrafts(bff.href, hint.since) : [];',
    mutant: 'const unowned = hint && hint.account === owner ? unownedDrafts(bff.href, hint.since) : ["Stryker was here"];',
    reason: 'The keys are removed; there is no such key.',
  },
  {
    file: 'drafts/sign-out-cleanup.ts',
    code: '} catch { return false; }',
    mutant: '} catch {}',
    reason: '`undefined` is as false as `false` for the caller.',
  },
  {
    file: 'signing/sign-request.ts',
    code: 'const key = createSecretKey(secretKey, \'utf8\');',
    mutant: 'const key = createSecretKey(secretKey, "");',
    reason: 'Node.js takes an empty encoding for UTF-8.',
  },
  {
    file: 'signing/sign-request.ts',
    code: 'const required = { id, nonce, mac, ...(accessToken !== undefined && { access_token: accessToken }) };',
    mutant: 'const required = { id, nonce, mac, ...(true && { access_token: accessToken }) };',
    reason: '`undefined` passes the check of its characters and is not written.',
  },
  {
    file: 'session/session-router.ts',
    code: 'if (record.state !== \'done\' || record.notice === undefined) continue;',
    mutant: 'if (false || record.notice === undefined) continue;',
    reason: 'Only records in `done` have a notice; the comparison is for the compiler.',
  },
  {
    file: 'sync/sign-in.ts',
    code: 'if (claimed) return this.#resume(claimed, { syncKeys, requestKey });',
    mutant: 'if (false) return this.#resume(claimed, { syncKeys, requestKey });',
    reason: 'The claim of the code fails later, and the same claim is found: this saves writes to the store.',
  },
  {
    file: 'sync/sign-in.ts',
    code: 'if (!await codes.claim(syncReturn.code, { owner: key, ...(requestKey !== undefined && { requestKey }) })) {',
    mutant: 'if (!await codes.claim(syncReturn.code, { owner: key, ...(true && { requestKey }) })) {',
    reason: 'JSON leaves `undefined` out.',
  },
  {
    file: 'sync/sync-transaction.ts',
    code: '?? (earlierAttempts > 0 ? await this.#records.find(found.key) : undefined);',
    mutant: '?? (true ? await this.#records.find(found.key) : undefined);',
    reason: 'The revision tells a write of another request apart; the comparison saves a read.',
  },
  {
    file: 'sync/sync-transaction.ts',
    code: '?? (earlierAttempts > 0 ? await this.#records.find(found.key) : undefined);',
    mutant: '?? (earlierAttempts >= 0 ? await this.#records.find(found.key) : undefined);',
    reason: 'The revision tells a write of another request apart; the comparison saves a read.',
  },
  {
    file: 'sync/sync-transaction.ts',
    code: '|| (earlierAttempts > 0 && (await this.#leases.find(key))?.record === token)',
    mutant: '|| (true && (await this.#leases.find(key))?.record === token)',
    reason: 'The token tells a lease of another request apart; the comparison saves a read.',
  },
  {
    file: 'sync/sync-transaction.ts',
    code: '|| (earlierAttempts > 0 && (await this.#leases.find(key))?.record === token)',
    mutant: '|| (earlierAttempts >= 0 && (await this.#leases.find(key))?.record === token)',
    reason: 'The token tells a lease of another request apart; the comparison saves a read.',
  },
  {
    file: 'sync/authorization-attempts.ts',
    code: 'if (taken && (!newest || taken.sequence > newest.sequence)) newest = taken;',
    mutant: 'if (taken && (!newest || taken.sequence >= newest.sequence)) newest = taken;',
    reason: 'Only attempts that started at the same moment have the same number: either one is the newest.',
  },
  {
    file: 'sync/code-claims.ts',
    code: '|| (earlierAttempts > 0 && await this.#rewrite(code, { ...claim, spent: false }, this.#claimMs))',
    mutant: '|| (true && await this.#rewrite(code, { ...claim, spent: false }, this.#claimMs))',
    reason: 'The owner is a new random key, so only an earlier attempt can have stored it; the comparison saves a read.',
  },
  {
    file: 'sync/code-claims.ts',
    code: '|| (earlierAttempts > 0 && await this.#rewrite(code, { ...claim, spent: false }, this.#claimMs))',
    mutant: '|| (earlierAttempts >= 0 && await this.#rewrite(code, { ...claim, spent: false }, this.#claimMs))',
    reason: 'The owner is a new random key, so only an earlier attempt can have stored it; the comparison saves a read.',
  },
  {
    file: 'sync/sign-in-hooks.ts',
    code: 'expected: \'anything\',',
    mutant: 'expected: "",',
    reason: 'The schema accepts every result, so no message names the expected one.',
  },
  {
    file: 'sync/sign-in.ts',
    code: 'const earlier = (await transactions.findAll(browser.syncKeys)).filter(({ record }) => record.sequence < sequence);',
    mutant: 'const earlier = (await transactions.findAll(browser.syncKeys)).filter(({ record }) => record.sequence <= sequence);',
    reason: 'Only the sign-in itself has the same number; it is done, and its session is excluded by its id.',
  },
  {
    file: 'sync/sync-transaction.ts',
    code: 'while (performance.now() < waitUntil) {',
    mutant: 'while (performance.now() <= waitUntil) {',
    reason: 'One more attempt in the last microsecond.',
  },
  {
    file: 'sync/form.ts',
    code: 'return byTag.values().next().value ?? \'\';',
    mutant: 'return byTag.values().next().value ?? "Stryker was here!";',
    reason: 'The configuration requires at least one text; the default is for the compiler.',
  },
  {
    file: 'sync/sync-return.ts',
    code: 'const [code, username, user_id, audiencesync_uri] = names.slice(0, 4).map((name) => query.get(name));',
    mutant: 'const [code, username, user_id, audiencesync_uri] = names.map((name) => query.get(name));',
    reason: 'Nothing reads the fifth and the sixth value.',
  },
  {
    file: 'store/record-cipher.ts',
    code: 'const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });',
    mutant: 'const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {});',
    reason: 'The tag that follows always has sixteen bytes.',
  },
  {
    file: 'store/record-cipher.ts',
    code: '} catch { return undefined; }',
    mutant: '} catch {}',
    reason: 'A function that ends without a value returns `undefined`.',
  },
  {
    file: 'store/redis-checks.ts',
    code: 'if (waitReplicas !== \'auto\' && replicas < waitReplicas) {',
    mutant: 'if (true && replicas < waitReplicas) {',
    reason: 'No number is less than `auto`; the comparison is for the compiler.',
  },
  {
    file: 'store/redis-checks.ts',
    code: 'if (waitReplicas !== \'auto\' && replicas < waitReplicas) {',
    mutant: 'if (waitReplicas !== "" && replicas < waitReplicas) {',
    reason: 'No number is less than `auto`; the comparison is for the compiler.',
  },
  {
    file: 'store/sqlite-schema.ts',
    code: 'for (const migration of migrations.slice(readPragma(db, \'user_version\'))) db.exec(migration);',
    mutant: 'for (const migration of migrations) db.exec(migration);',
    reason: 'There is one migration, and a file that ran it returns before.',
  },
  {
    file: 'store/sqlite-store.ts',
    code: 'return lifetimeMs === undefined ? null : this.#now() + lifetimeMs;',
    mutant: 'return false ? null : this.#now() + lifetimeMs;',
    reason: 'SQLite stores `NaN` as `NULL`.',
  },
  {
    file: 'store/sqlite-writer.ts',
    code: 'if (this.#waiting.length === 1 && this.#inFlight.length === 0) setImmediate(() => { this.#send(); });',
    mutant: 'if (true && this.#inFlight.length === 0) setImmediate(() => { this.#send(); });',
    reason: 'The second call finds nothing to send.',
  },
  {
    file: 'store/redis-store.ts',
    code: 'let cursor = \'0\';',
    mutant: 'let cursor = "";',
    reason: 'Redis reads an empty cursor as 0.',
  },
  {
    file: 'store/redis-rate-limit.ts',
    code: 'return async ({ key = \'\', command }) => {',
    mutant: 'return async ({ key = "Stryker was here!", command }) => {',
    reason: 'Only SCRIPT LOAD has no key, and it is not sent.',
  },
  {
    file: 'store/redis-rate-limit.ts',
    code: 'if (name === \'SCRIPT\') return remember(args[1] ?? \'\');',
    mutant: 'if (name === \'SCRIPT\') return remember(args[1] ?? "Stryker was here!");',
    reason: 'SCRIPT LOAD always has a script; the default is for the compiler.',
  },
  {
    file: 'sync/sync-router.ts',
    code: 'if (sessionId !== undefined && await sessions.find(sessionId)) cookies.setSessionId(res, sessionId);',
    mutant: 'if (true && await sessions.find(sessionId)) cookies.setSessionId(res, sessionId);',
    reason: 'There is no session without an id; the comparison is for the compiler.',
  },
  {
    file: 'http/origin-check.ts',
    code: 'const isAllowed = origin !== undefined && allowed.has(origin);',
    mutant: 'const isAllowed = true && allowed.has(origin);',
    reason: '`undefined` is no member of the set; the comparison is for the compiler.',
  },
  {
    file: 'http/json-body.ts',
    code: 'const contentType = req.get(\'Content-Type\') ?? \'\';',
    mutant: 'const contentType = req.get(\'Content-Type\') ?? "Stryker was here!";',
    reason: 'Neither text is the media type of JSON.',
  },
  {
    file: 'http/static-files.ts',
    code: '() => new Error(\'The archive did not respond.\'),',
    mutant: '() => undefined,',
    reason: 'The call drops the error.',
  },
  {
    file: 'http/static-files.ts',
    code: '() => new Error(\'The archive did not respond.\'),',
    mutant: '() => new Error(""),',
    reason: 'The call drops the error.',
  },
  {
    file: 'http/static-files.ts',
    code: 'const assets = names.includes(\'assets\') ? await readdir(join(directory, \'assets\')) : [];',
    mutant: 'const assets = names.includes(\'assets\') ? await readdir(join(directory, \'assets\')) : ["Stryker was here"];',
    reason: 'A name that is no script is ignored.',
  },
  {
    file: 'http/cookies.ts',
    code: 'const texts = parsed.get(req) ?? parse(req.headers.cookie ?? \'\');',
    mutant: 'const texts = parsed.get(req) ?? parse(req.headers.cookie ?? "Stryker was here!");',
    reason: 'A text without `=` is no cookie.',
  },
  {
    file: 'http/cookies.ts',
    code: 'if (equals < 0) continue;',
    mutant: 'if (equals <= 0) continue;',
    reason: 'No cookie with an empty name is read.',
  },
  {
    file: 'sync/sync-router.ts',
    code: 'if (++startsWithoutReturn % MANY_STARTS === 0) {',
    mutant: 'if (--startsWithoutReturn % MANY_STARTS === 0) {',
    reason: 'The starts since the last return are counted; the sign does not matter.',
  },
];
