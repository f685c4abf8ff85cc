/** The commands, their arguments and their help. Each command is loaded when it is run. */

import { readFileSync } from 'node:fs';
import { Command } from 'commander';

/** Told the exit status of the command that was run. */
export type OnEnd = (status: number) => void;

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

export function createProgram(onEnd: OnEnd): Command {
  const program = new Command('vestibule')
    .description('The backend-for-frontend of the Vestibule comment embed: signs readers in and posts on their behalf.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError('Run vestibule --help for what there is.')
    .exitOverride()
    .addHelpText('after', PROGRAM_HELP);

  program.command('serve')
    .description('serve the BFF (what vestibule does without a command)')
    .addHelpText('after', SERVE_HELP)
    .action(async () => {
      const { serve } = await import('./serve.ts');
      onEnd(await serve());
    });

  program.command('check')
    .description('check the configuration, the service, the store and the addresses, and say what to do about each fault')
    .addHelpText('after', CHECK_HELP)
    .action(async () => {
      const { check } = await import('./check/check.ts');
      onEnd(await check());
    });

  program.command('sign')
    .description('print each step of the signature of a request to the service; nothing is sent')
    .argument('<method>', 'method, such as POST')
    .argument('<url>', 'whole address, such as https://comments.example/api/3.0/posts/create.json')
    .argument('[name=value...]', 'parameters: in the body, or in the query of a GET')
    .option('--access-token-file <file>', 'sign on behalf of the user whose access token is in this file')
    .option('--nonce <nonce>', 'this nonce instead of a new one: UNIX seconds, a colon, up to 32 characters')
    .option('--compare <header>', 'an Authorization header of somebody else\'s: says at which step it parts ways; its nonce is taken over')
    .addHelpText('after', SIGN_HELP)
    .action(async (method: string, url: string, pairs: string[], options: object) => {
      const { sign } = await import('./sign/sign.ts');
      onEnd(await sign({ method, url, pairs, ...options }));
    });

  const profiles = program.command('profiles')
    .description('print the readers\' accepted answers, one JSON object a line, oldest first')
    .option('--since <date>', 'only those accepted at this time or later: 2026-03-01 or 2026-03-01T12:00:00Z')
    .option('--user <user_id>', 'only this reader\'s')
    .addHelpText('after', PROFILES_HELP)
    .action(async (options: object) => {
      const { printProfiles } = await import('./profiles.ts');
      onEnd(await printProfiles(options));
    });

  profiles.command('delete')
    .description('delete one reader\'s accepted answers, as a privacy request asks for')
    .argument('<user_id>')
    .action(async (userId: string) => {
      const { deleteProfile } = await import('./profiles.ts');
      onEnd(await deleteProfile(userId));
    });

  program.command('log-id')
    .description('print what stands for a user in the log')
    .argument('<user_id>')
    .action(async (userId: string) => {
      const { printLogId } = await import('./log-id.ts');
      onEnd(await printLogId(userId));
    });

  return program;
}

const PROGRAM_HELP = `
Settings come from the environment (VESTIBULE_SERVICE_URL, VESTIBULE_SECRET_KEY_FILE and so on) and from the file that
VESTIBULE_CONFIG names. The environment wins.

Examples:
  $ vestibule check && vestibule serve
  $ VESTIBULE_CONFIG=/etc/vestibule/config.json vestibule
  $ vestibule profiles --since 2026-03-01 > profiles.ndjson

Exit statuses:
  0   all is well, or an orderly end after SIGTERM or SIGINT
  1   a check failed, there was nothing to delete, or the process crashed (the log says where)
  64  the command line is not understood
  69  something is not available at present: the port is taken
  78  the configuration is not usable; every fault stands on a line of its own
  130, 143  ended at once by a second SIGINT or SIGTERM`;

const SERVE_HELP = `
Listens on HOST and PORT (127.0.0.1:8080) under the path of VESTIBULE_PUBLIC_URL, for a proxy in front of it; /healthz and
/readyz answer at the root too. SIGTERM and SIGINT let requests under way end; a second one ends the process at once.
SIGHUP changes nothing: start anew to have other settings read. Behind a proxy with two of them nothing is lost by that.

OpenTelemetry is picked up where it is loaded before:
  $ node --import @opentelemetry/auto-instrumentations-node/register $(which vestibule) serve

Example:
  $ VESTIBULE_SERVICE_URL=https://comments.example \\
    VESTIBULE_PUBLIC_KEY=… VESTIBULE_SECRET_KEY_FILE=/run/secrets/secret-key \\
    VESTIBULE_FORUMS=news VESTIBULE_PUBLIC_URL=https://www.example.com/vestibule \\
    VESTIBULE_COOKIE_SECRETS_FILE=/run/secrets/cookie-secrets vestibule serve`;

const CHECK_HELP = `
Each line is ok, warn or fail, the name of the check, and what to do. Warnings do not fail the command.
The service is asked for its address and to refuse a code that does not exist, which tells whether it knows the keys.

Example:
  $ vestibule check
  ok    settings         2 forums, 1 question
  fail  service          the address does not resolve: check the host of VESTIBULE_SERVICE_URL`;

const SIGN_HELP = `
The keys come from VESTIBULE_PUBLIC_KEY and VESTIBULE_SECRET_KEY (or their _FILE, or VESTIBULE_CONFIG) and from nowhere
else; the secret key and the access token are never printed.

Examples:
  $ vestibule sign POST https://comments.example/api/3.0/posts/create.json forum=news message='hello world'
  $ vestibule sign POST https://comments.example/api/3.0/posts/create.json forum=news message='hello world' \\
      --compare 'MAC id="…", nonce="1306976351.26:289807", body-hash="…", mac="…"'`;

const PROFILES_HELP = `
Examples:
  $ vestibule profiles --since 2026-03-01 | jq .answers.age
  $ vestibule profiles --user 31007
  $ vestibule profiles delete 31007`;
