/**
 * Parses the scripts of components with type information. typescript-eslint reads a component from the disk, finds that it is
 * not TypeScript and makes a new program for each; here one program has the scripts of all components.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { parser } from 'typescript-eslint';
import * as vueParser from 'vue-eslint-parser';

let components;

/** `scripts`: by path, the text that vue-eslint-parser parses. */
function readComponents(project) {
  const folder = dirname(project);
  const scripts = new Map();
  for (const filePath of globSync('**/*.vue', { cwd: folder }).map((file) => join(folder, file))) {
    const keep = (code, options) => {
      if (options.project) scripts.set(filePath, code);
      return parser.parseForESLint(code, { ...options, project: undefined });
    };
    const withoutTemplate = readFileSync(filePath, 'utf8').replace(/^<template>.*^<\/template>/ms, '');
    vueParser.parse(withoutTemplate, { filePath, project, lib: [], parser: { parseForESLint: keep } });
  }
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(project, ts.sys.readFile).config,
    ts.sys,
    folder,
  );
  const host = ts.createCompilerHost(options, true);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version, ...rest) =>
    scripts.has(name)
      ? ts.createSourceFile(name, scripts.get(name), version, true, ts.ScriptKind.TS)
      : getSourceFile(name, version, ...rest);
  const program = ts.createProgram([...fileNames, ...scripts.keys()], { ...options, allowNonTsExtensions: true }, host);
  return { scripts, program };
}

export default {
  ...parser,
  parseForESLint(code, { project, ...options }) {
    if (!project) return parser.parseForESLint(code, options);
    components ??= readComponents(project);
    const { scripts, program } = components;
    // An editor, or --fix, changes a component after it was read.
    const types = scripts.get(options.filePath) === code ? { programs: [program] } : { project };
    return parser.parseForESLint(code, { ...options, ...types });
  },
};
