/** Forbids `{ ...{ a, b } }`, which puts several properties on one line. For oxlint and ESLint. */
const noLiteralSpread = {
  meta: { type: 'layout', fixable: 'code', schema: [] },
  create: (context) => ({
    'ObjectExpression > SpreadElement > ObjectExpression'(node) {
      context.report({
        node: node.parent,
        message: 'Write the properties without a spread.',
        fix: (fixer) => {
          const inner = context.sourceCode.getText(node).slice(1, -1).trim();
          return fixer.replaceText(node.parent, inner.endsWith(',') ? inner.slice(0, -1) : inner);
        },
      });
    },
  }),
};

export default { meta: { name: 'toolwire' }, rules: { 'no-literal-spread': noLiteralSpread } };
