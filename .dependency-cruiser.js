/** Import rules of the packages. `npm run lint` checks them. Type-only imports count. */

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Types included: a module in a cycle cannot be read or tested by itself.',
      severity: 'error',
      from: { path: '^packages/(bff|shared)/' },
      to: { circular: true },
    },
    {
      name: 'no-load-cycles',
      comment: 'Elements load their views on demand, and views name the types of their element.',
      severity: 'error',
      from: { path: '^packages/widget/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'dynamic-import'] } },
    },
    {
      name: 'shared-imports-nothing',
      severity: 'error',
      from: { path: '^packages/shared/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/shared/src' },
    },
    {
      name: 'packages-meet-in-shared',
      severity: 'error',
      from: { path: '^packages/(bff|widget)/src' },
      to: { path: '^packages/(bff|widget)/src', pathNot: '^packages/$1/src' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['@vestibule/source', 'import', 'default'], extensions: ['.ts', '.js'] },
  },
};
