/** The commands with their arguments and help. Loads the module of a command when it runs. */

import { readFileSync } from 'node:fs';
import { Command } from 'commander';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

/** @param onEnd receives the exit status of the command */
export function createProgram(onEnd: (status: number) => void): Command {
  const program = new Command('vestibule')
    .description('The backend-for-frontend of the Vestibule comment embed: signs readers in and posts on their behalf.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError('Run vestibule --help for the commands.')
    .exitOverride()
    .addHelpText('after', PROGRAM_HELP);

  program.command('serve')
    .description('serve the BFF; the default command')
    .addHelpText('after', SERVE_HELP)
    .action(() => import('./serve.ts').then(({ serve }) => serve()).then(onEnd));

  program.command('check')
    .description('check settings, service, store and addresses')
    .addHelpText('after', CHECK_HELP)
    .action(() => import('./check.ts').then(({ check }) => check()).then(onEnd));

  program.command('sign')
    .description('print each step of the signature of a request; sends nothing')
    .argument('<method>', 'method, such as POST')
    .argument('<url>', 'absolute URL, such as https://comments.example/api/3.0/posts/create.json')
    .argument('[name=value...]', 'parameters of the body, or of the query of a GET')
    .option('--access-token-file <file>', 'sign on behalf of the user whose access token is in this file')
    .option('--nonce <nonce>', 'nonce to use: UNIX seconds, a colon, 1 to 32 characters')
    .addHelpText('after', SIGN_HELP)
    .action((method: string, url: string, pairs: string[], options: object) => (
      import('./sign.ts').then(({ sign }) => sign({ method, url, pairs, ...options })).then(onEnd)
    ));

  program.command('profiles')
    .description('print accepted answers, one JSON object per line, oldest first')
    .option('--since <date>', 'accepted at this time or later: 2026-03-01 or 2026-03-01T12:00:00Z')
    .option('--user <user_id>', 'only the answers of this reader')
    .addHelpText('after', PROFILES_HELP)
    .action((options: object) => import('./data.ts').then(({ printProfiles }) => printProfiles(options)).then(onEnd));

  const readers = program.command('readers')
    .description('export or delete what the store holds about a reader')
    .addHelpText('after', READERS_HELP);

  readers.command('export')
    .description('print profile, sessions, sign-ins and posting records as JSON, without tokens')
    .argument('<user_id>')
    .action((userId: string) => import('./data.ts').then(({ exportReader }) => exportReader(userId)).then(onEnd));

  readers.command('delete')
    .description('delete profile, sessions, sign-ins and posting records; signs the reader out at once')
    .argument('<user_id>')
    .action((userId: string) => import('./data.ts').then(({ deleteReader }) => deleteReader(userId)).then(onEnd));

  program.command('backup')
    .description('copy the SQLite store to a new file, also while the BFF runs')
    .argument('<path>')
    .addHelpText('after', BACKUP_HELP)
    .action((path: string) => import('./data.ts').then(({ backUp }) => backUp(path)).then(onEnd));

  program.command('settings')
    .description('print every setting with its default')
    .action(async () => {
      const [{ settingsPage }, { print }] = await Promise.all([import('./settings-page.ts'), import('./command.ts')]);
      print(settingsPage());
    });

  program.command('assets')
    .description('copy the files of the widget to a directory, and delete none there')
    .argument('<dir>')
    .addHelpText('after', ASSETS_HELP)
    .action((dir: string) => import('./data.ts').then(({ copyAssets }) => copyAssets(dir)).then(onEnd));

  program.command('log-id')
    .description('print the hash of a user id as it is in the log')
    .argument('<user_id>')
    .action((userId: string) => import('./data.ts').then(({ printLogId }) => printLogId(userId)).then(onEnd));

  return program;
}

const PROGRAM_HELP = `
Settings come from the environment (VESTIBULE_SERVICE_URL, VESTIBULE_SECRET_KEY_FILE and so on) and from the file that
VESTIBULE_CONFIG names. The environment wins. After "npm install @vestibule/bff", start it as "npx @vestibule/bff".

Examples:
  $ vestibule check && vestibule serve
  $ VESTIBULE_CONFIG=/etc/vestibule/config.json vestibule

Exit statuses:
  0   success, or stopped in order after SIGTERM or SIGINT
  1   a check failed, there was nothing to delete, records cannot be decrypted, or the process crashed (see the log)
  64  the command line is wrong
  69  the port is in use
  78  the configuration is wrong; each fault is on a line of its own
  130, 143  stopped at once by a second SIGINT or SIGTERM`;

const SERVE_HELP = `
Listens on HOST and PORT (127.0.0.1:8080) under the path of VESTIBULE_PUBLIC_URL, for a proxy in front of it. /healthz and
/readyz also answer at the root. SIGTERM and SIGINT let requests in flight finish; a second one exits at once. SIGHUP has no
effect: restart the process to read settings again.

Example:
  $ VESTIBULE_SERVICE_URL=https://comments.example \\
    VESTIBULE_PUBLIC_KEY=… VESTIBULE_SECRET_KEY_FILE=/run/secrets/secret-key \\
    VESTIBULE_FORUMS=news VESTIBULE_PUBLIC_URL=https://www.example.com/vestibule \\
    VESTIBULE_COOKIE_SECRETS_FILE=/run/secrets/cookie-secrets vestibule serve`;

const CHECK_HELP = `
Prints one line per finding: ok, warn or fail, the name of the check, and what to do. Warnings do not fail the command.
Sends three kinds of requests to the service, none with an effect: one for its address, exchanges of a code that does not
exist, and requests for the page where readers allow access.

Example:
  $ vestibule check
  ok    settings         2 forums, 1 question
  fail  service          the host does not resolve: check the host of VESTIBULE_SERVICE_URL and this machine's DNS`;

const SIGN_HELP = `
The keys come from VESTIBULE_PUBLIC_KEY and VESTIBULE_SECRET_KEY, from their _FILE variables, or from VESTIBULE_CONFIG. The
secret key and the access token are never printed.

Example:
  $ vestibule sign POST https://comments.example/api/3.0/posts/create.json forum=news message='hello world'`;

const PROFILES_HELP = `
Examples:
  $ vestibule profiles --since 2026-03-01 | jq .answers.age
  $ vestibule profiles --user 31007`;

const READERS_HELP = `
Posts that the service holds are not affected.

Examples:
  $ vestibule readers export 31007 > reader.json
  $ vestibule readers delete 31007`;

const BACKUP_HELP = `
To restore, stop every process, remove the store's -wal and -shm files, copy the backup to the store's path, and start.

Example:
  $ vestibule backup backup.db`;

const ASSETS_HELP = `
A proxy or CDN that serves the directory before the BFF keeps the files of earlier releases for open tabs and pinned scripts. Run it at
each deployment.

Example:
  $ vestibule assets /srv/vestibule-assets`;
