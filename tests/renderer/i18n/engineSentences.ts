import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** What a text of the source may say: `{0}`, `{1}` … stand for what is filled in. */
export interface SourceText {
  file: string;
  text: string;
}

/** Every text that the engine's source writes down, joined ones as one. */
export function sourceTexts(): SourceText[] {
  return globSync('src-core/**/*.ts').flatMap((file) => {
    const found: SourceText[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
      const texts = isText(node) ? textsOf(node) : [];
      found.push(...texts.map((text) => ({ file: file.replaceAll('\\', '/'), text })));
      // The parts of a sum are no texts of their own.
      if (!(ts.isBinaryExpression(node) && texts.length > 0)) ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
    return found;
  });
}

/** Words with a space between them and an end. */
export function isSentence(text: string): boolean {
  return /[a-z]{2,} [a-z"{]/.test(text) && /[.?!]$/.test(text.trim());
}

type Text = ts.StringLiteralLike | ts.TemplateExpression | ts.BinaryExpression;

function isText(node: ts.Node): node is Text {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return true;
  return isSum(node) && (isText(node.left) || isText(node.right));
}

function isSum(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
}

function textsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.templateSpans.reduce((text, { literal }, at) => `${text}{${at}}${literal.text}`, node.head.text)];
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (!isSum(node)) return ['{0}'];
  return textsOf(node.left).flatMap((left) => textsOf(node.right).map((right) => left + behind(left, right)));
}

/** The right text, its numbers going on where the left one's end. */
function behind(left: string, right: string): string {
  const count = left.match(/\{\d+\}/g)?.length ?? 0;
  return right.replaceAll(/\{(\d+)\}/g, (_, at: string) => `{${Number(at) + count}}`);
}
