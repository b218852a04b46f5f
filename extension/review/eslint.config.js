import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules', '.tests', 'eslint.config.js', 'build.mjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Strings are spread to count code points, as the contract's positions do.
      '@typescript-eslint/no-misused-spread': ['error', { allow: [{ from: 'lib', name: 'string' }] }],
      'no-restricted-globals': ['error', 'fetch', 'XMLHttpRequest', 'localStorage'],
      'max-lines': ['error', 320],
    },
  },
  {
    // The runner collects the promise that `test` returns.
    files: ['test/**'],
    rules: { '@typescript-eslint/no-floating-promises': 'off' },
  },
);
