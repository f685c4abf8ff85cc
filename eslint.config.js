/** Linter and formatter: `npm run lint` reports, `npm run format` fixes. The rules also limit imports between packages and the
 *  use of some globals. */

import js from '@eslint/js';
import stylistic from '@stylistic/eslint-plugin';
import { defineConfig, globalIgnores } from 'eslint/config';
import lit from 'eslint-plugin-lit';
import wc from 'eslint-plugin-wc';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const TESTS = ['**/*.test.ts', '**/_*.ts'];

const noMarkupFromText = ['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map((property) => (
  { property, message: 'Text stays text: render it with a template.' }
));
const noEnvironment = {
  object: 'process', property: 'env', message: 'Only config/load.ts and lib/proxy.ts of packages/bff read the environment.',
};
const noWeakRandomness = { object: 'Math', property: 'random', message: 'Take randomness from node:crypto.' };

/** A page may have replaced a class by an older one. */
const noLaterStatics = [['URL', 'parse'], ['URL', 'canParse'], ['Map', 'groupBy'], ['Object', 'groupBy']].map(([object, property]) => (
  { object, property, message: 'A polyfill of the page may be without it: lib/parse-url.ts, filter.' }));

const noTestCode = { regex: '(^|/)test/', message: 'No package imports test code.' };
const noEnvironmentImport = { group: ['node:process', 'process'], importNames: ['env'], message: noEnvironment.message };
const noUnsafeDirective = { group: ['lit/directives/unsafe-*', 'lit-html/directives/unsafe-*'], message: 'Text stays text.' };

/** @param {object[]} patterns */
const imports = (...patterns) => ({
  'no-restricted-imports': ['error', { patterns: [noTestCode, noEnvironmentImport, noUnsafeDirective, ...patterns] }],
});

/** Every module has a doc comment: at its top, or on the first statement after its imports. */
const moduleDoc = {
  meta: { messages: { missing: 'Open the module with a doc comment: what it is, which section it follows, what it leaves to others.' } },
  create: (/** @type {import('eslint').Rule.RuleContext} */ context) => ({
    Program(/** @type {import('eslint').AST.Program} */ node) {
      const first = node.body.find((statement) => statement.type !== 'ImportDeclaration');
      const comments = context.sourceCode.getAllComments();
      const hasDoc = comments.some(({ type, value, range }) => (
        type === 'Block' && value.startsWith('*') && (range?.[0] ?? 0) < (first?.range?.[0] ?? Infinity)
      ));
      if (!hasDoc) context.report({ node, loc: { line: 1, column: 0 }, messageId: 'missing' });
    },
  }),
};

export default defineConfig(
  globalIgnores(['**/dist/', 'test/packages/framework-pages/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },

  js.configs.recommended,
  tseslint.configs.recommended,
  stylistic.configs.customize({ indent: 2, quotes: 'single', semi: true, arrowParens: true, braceStyle: '1tbs' }),
  {
    plugins: { vestibule: { rules: { 'module-doc': moduleDoc } } },
    rules: {
      '@stylistic/max-len': ['error', {
        code: 130, ignoreUrls: true, ignoreStrings: true, ignoreRegExpLiterals: true, ignoreTemplateLiterals: true,
      }],
      '@stylistic/max-statements-per-line': 'off',
      '@stylistic/multiline-ternary': 'off',
      '@stylistic/operator-linebreak': ['error', 'before', { overrides: { '=': 'after' } }],
      '@stylistic/quote-props': ['error', 'as-needed'],
      '@stylistic/quotes': ['error', 'single', { avoidEscape: true, allowTemplateLiterals: 'always' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports', prefer: 'type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-empty': ['error', { allowEmptyCatch: true }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-script-url': 'error',
      'object-shorthand': 'error',
      'prefer-template': 'error',
    },
  },

  { files: ['bench/**', 'scripts/**', 'test/**', 'packages/bff/**', '**/*.config.js'], languageOptions: { globals: globals.node } },
  { files: ['packages/widget/src/**', 'test/**/*.js'], languageOptions: { globals: globals.browser } },

  {
    files: ['packages/*/src/**', 'scripts/**', 'test/**'],
    ignores: TESTS,
    rules: { 'vestibule/module-doc': 'error' },
  },
  {
    files: ['packages/*/src/**/*.ts'],
    ignores: TESTS,
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
  {
    files: ['packages/*/src/**'],
    ignores: TESTS,
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-restricted-properties': ['error', noEnvironment, ...noMarkupFromText],
      ...imports(),
    },
  },
  {
    files: ['packages/shared/src/**'],
    ignores: TESTS,
    rules: imports({ regex: '^[^.]', message: 'The shared package has no dependencies.' }),
  },
  {
    files: ['packages/bff/src/**'],
    ignores: TESTS,
    rules: {
      'no-restricted-properties': ['error', noEnvironment, noWeakRandomness, ...noMarkupFromText],
      ...imports({ regex: '^@vestibule/widget|/widget/src/', message: 'The BFF serves the built widget and does not import its sources.' }),
    },
  },
  {
    files: ['packages/bff/src/config/load.ts', 'packages/bff/src/lib/proxy.ts'],
    rules: { 'no-restricted-properties': ['error', noWeakRandomness, ...noMarkupFromText] },
  },
  {
    files: ['packages/widget/src/**'],
    ignores: TESTS,
    rules: {
      'no-restricted-properties': ['error', noEnvironment, ...noMarkupFromText, ...noLaterStatics],
      ...imports({
        regex: '^@vestibule/bff|/bff/|^node:',
        message: 'The widget imports @vestibule/shared only, never the BFF.',
      }),
    },
  },
  {
    files: ['test/service/**'],
    ignores: TESTS,
    rules: {
      'no-restricted-imports': ['error', { patterns: [
        {
          regex: '^@vestibule/bff|/bff/',
          message: 'The emulated service shares no code with the BFF, so that one bug cannot hide in both.',
        },
      ] }],
    },
  },

  {
    files: ['packages/widget/src/**'],
    extends: [lit.configs['flat/recommended'], wc.configs['flat/best-practice']],
    rules: {
      'lit/lifecycle-super': 'error',
      'lit/no-legacy-imports': 'error',
      'lit/no-private-properties': ['error', { private: '^_', protected: '^_' }],
      'lit/no-this-assign-in-render': 'error',
      'lit/no-useless-template-literals': 'error',
      'lit/no-value-attribute': 'error',
      'lit/prefer-nothing': 'error',
      'lit/prefer-static-styles': 'error',
    },
  },
  {
    files: TESTS,
    rules: {
      'no-script-url': 'off',
      'no-restricted-syntax': ['error', {
        selector: 'CallExpression[callee.object.name=/^(it|test|describe|suite)$/][callee.property.name=/^(only|skip|todo)$/]',
        message: 'Every test runs, every time.',
      }],
    },
  },
);
