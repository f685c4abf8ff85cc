/** The commands with their arguments and help. Loads the module of a command when it runs. */

import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config/config.ts';
import { unknownVariables } from '../config/load.ts';
import { CommandError, exitStatus, version, type CommandContext } from './command.ts';
import { settingsPage } from './settings-page.ts';

export interface ProgramContext extends CommandContext {
  /** To standard error. */
  readonly printError: (line: string) => void;
}

/** Runs the command of a command line. Prints errors as sentences, one per line. @returns the exit status */
export async function runProgram(args: readonly string[], context: ProgramContext): Promise<number> {
  const { environment, printError } = context;
  let status: number = exitStatus.ok;
  const program = createProgram(context, (ended) => { status = ended; });
  try {
    await program.parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof ConfigError) {
      for (const line of [...error.faults, ...unknownVariables(environment)]) printError(line);
      return exitStatus.config;
    }
    if (error instanceof CommandError) {
      printError(`vestibule: ${error.message}`);
      return error.exitStatus;
    }
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.ok : exitStatus.usage;
    throw error;
  }
}

/** @param onEnd receives the exit status of a command that has several */
export function createProgram(context: ProgramContext, onEnd: (status: number) => void): Command {
  const line = (print: (line: string) => void) => (text: string) => { print(text.replace(/\n$/, '')); };
  const program = new Command('vestibule')
    .description('The server of the Vestibule comment box (a backend-for-frontend, BFF): signs readers in and posts on their behalf.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError('Run vestibule --help for the commands.')
    .exitOverride()
    .configureOutput({ writeOut: line(context.print), writeErr: line(context.printError) })
    .addHelpText('after', PROGRAM_HELP);

  program.command('serve')
    .description('start the server; the default command')
    .addHelpText('after', `${SERVE_HELP}\n\n${settingsPage()}`)
    .action(async () => { onEnd(await (await import('./serve.ts')).serve(context)); });

  program.command('check')
    .description('check settings, store, service and public URL')
    .addHelpText('after', '\nRepeat it while the server runs: it then looks at a cookie through the public URL, too.\n\nExample:\n  $ vestibule check && vestibule serve')
    .action(async () => { onEnd(await (await import('./check.ts')).check(context)); });

  program.command('sign')
    .description('print each step of the signature of a request; sends nothing')
    .argument('<method>', 'method, such as POST')
    .argument('<url>', 'absolute URL, such as https://comments.example/api/3.0/posts/create.json')
    .argument('[name=value...]', 'parameters of the body, or of the query of a GET')
    .addHelpText('after', `\nExample:\n  $ vestibule sign POST https://comments.example/api/3.0/posts/create.json forum=news message='hello world'`)
    .action(async (method: string, url: string, pairs: string[]) => (await import('./sign.ts')).sign({ method, url, pairs }, context));

  program.command('profiles')
    .description('print accepted answers, one JSON object per line')
    .addHelpText('after', `\nExample:\n  $ vestibule profiles | jq 'select(.accepted_at > "2026-03-01").answers.age'`)
    .action(async () => (await import('./data.ts')).printProfiles(context));

  const readers = program.command('readers')
    .description('export or delete what the store holds about a reader')
    .addHelpText('after', '\nPosts that the service holds are not affected.\n\nExample:\n  $ vestibule readers export 31007 > reader.json');

  readers.command('export')
    .description('print profile, sessions, sign-ins and posting records as JSON, without tokens')
    .argument('<user_id>')
    .action(async (userId: string) => (await import('./data.ts')).exportReader(userId, context));

  readers.command('delete')
    .description('delete profile, sessions, sign-ins and posting records; signs the reader out at once')
    .argument('<user_id>')
    .action(async (userId: string) => (await import('./data.ts')).deleteReader(userId, context));

  program.command('assets')
    .description('copy the files of the widget to a directory, and delete none there')
    .argument('<dir>')
    .addHelpText('after', '\nRun it at each deployment: files of earlier releases stay for open tabs and pinned scripts.')
    .action(async (dir: string) => (await import('./data.ts')).copyAssets(dir, context));

  program.command('log-id')
    .description('print the hash of a user id as it is in the log')
    .argument('<user_id>')
    .action(async (userId: string) => (await import('./data.ts')).printLogId(userId, context));

  return program;
}

const PROGRAM_HELP = `
Settings come from the environment and from the file that VESTIBULE_CONFIG names; "vestibule serve --help" lists them.

Exit statuses:
  0   success, or stopped in order after SIGTERM, SIGINT, SIGHUP or SIGQUIT
  1   a check failed, there was nothing to export or delete, records cannot be decrypted, or the process crashed (see the log)
  64  the command line is wrong
  69  the port is in use, or the store is not available yet: start again
  78  the configuration is wrong; each fault is on a line of its own
  129, 130, 131, 143  ended by a signal: before it listened, or at once by a later SIGINT or SIGQUIT`;

const SERVE_HELP = `
Listens on HOST and PORT under the path of VESTIBULE_PUBLIC_URL, for a proxy in front of it. /healthz and /readyz also answer
at the root. SIGTERM, SIGINT, SIGHUP and SIGQUIT let requests in flight finish; a later SIGINT or SIGQUIT exits at once.

Example:
  $ VESTIBULE_CONFIG=/etc/vestibule/config.json vestibule serve`;
