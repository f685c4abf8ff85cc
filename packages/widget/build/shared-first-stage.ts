/**
 * Later chunks use the first stage's modules without an import of its file: a page may name that file with a query or by its
 * pinned name, and an import by another address would evaluate a second copy.
 *
 * The entry keeps the object that one module exports under a key of `globalThis`. A later chunk takes from there what it imports
 * from any module of the first stage. The build fails if the object has no such property.
 */

import { createHash } from 'node:crypto';
import { build, parseAst, type Plugin, type Rolldown, type UserConfig } from 'vite';

const SHARED = '\0virtual/first-stage';

export interface SharedFirstStageOptions {
  /** The first stage is this module and what it imports statically, itself or through others. Absolute path. */
  readonly entry: string;
  /** The module whose only export is the shared object, a literal of shorthand properties. Absolute path. */
  readonly exports: string;
  /** Name of the constant that stands for the key, a string, in the entry. */
  readonly key: string;
}

interface FirstStage {
  /** Ids of its modules. */
  readonly modules: ReadonlySet<string>;
  /** Names that later chunks may import. */
  readonly exports: readonly string[];
  /** Changes with its code: a page may have two releases. */
  readonly key: string;
}

export function sharedFirstStage(options: SharedFirstStageOptions): Plugin {
  let firstStage: FirstStage;
  return {
    name: 'vestibule:shared-first-stage',
    apply: 'build',
    enforce: 'pre',
    async config({ root, resolve }) {
      firstStage = await analyze(options, { ...(root && { root }), ...(resolve && { resolve }) });
      return { define: { [options.key]: JSON.stringify(firstStage.key) } };
    },
    async resolveId(source, importer, { isEntry }) {
      if (isEntry || firstStage.modules.has(importer!)) return null;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      return resolved && firstStage.modules.has(resolved.id) ? SHARED : resolved;
    },
    load(id) {
      if (id !== SHARED) return null;
      return `export const { ${firstStage.exports.join(', ')} } = globalThis[Symbol.for(${JSON.stringify(firstStage.key)})];`;
    },
  };
}

/** Builds the first stage without the later chunks. */
async function analyze({ entry, exports }: SharedFirstStageOptions, config: UserConfig): Promise<FirstStage> {
  const modules = new Map<string, Rolldown.ModuleInfo>();
  const collectModules: Plugin = {
    name: 'vestibule:collect-modules',
    moduleParsed: (module) => void modules.set(module.id, module),
    resolveDynamicImport: () => false,
  };
  const result = await build({
    ...config,
    configFile: false,
    logLevel: 'warn',
    plugins: [collectModules],
    build: { write: false, minify: false, lib: { entry, formats: ['es'] } },
  }) as Rolldown.RolldownOutput[];
  const hash = createHash('sha256').update(result[0]!.output[0].code).digest('hex').slice(0, 8);
  return { modules: new Set(modules.keys()), exports: propertiesOf(modules.get(exports)!.code!), key: `vestibule-${hash}` };
}

/** Names of the properties of the object that the module exports. */
function propertiesOf(code: string): string[] {
  const [names] = parseAst(code).body.flatMap((statement) => {
    const init = statement.type === 'ExportNamedDeclaration' && statement.declaration?.type === 'VariableDeclaration'
      ? statement.declaration.declarations[0]?.init : undefined;
    return init?.type === 'ObjectExpression' ? [init.properties] : [];
  });
  return names!.flatMap((property) => (property.type === 'Property' && property.key.type === 'Identifier' ? [property.key.name] : []));
}
