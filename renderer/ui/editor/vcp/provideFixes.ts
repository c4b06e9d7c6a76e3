import type { editor, languages } from 'monaco-editor/editor';

import type { Monaco } from '../monacoType.ts';
import { vcpContexts, type VcpProblem } from './vcpContext.ts';

/** A diagnostic's fix as a quick fix (Ctrl+.). */
export function provideFixes(monaco: Monaco): languages.CodeActionProvider {
  return {
    provideCodeActions(model, range, { markers }) {
      const context = vcpContexts.get(model.uri.toString());
      const reading = context?.reading();
      if (context === undefined || reading === undefined || reading.text !== model.getValue())
        return { actions: [], dispose };
      const near = context.problems().filter((problem) => {
        const at = rangeOf(model, problem.start, problem.end);
        return problem.fix !== undefined && monaco.Range.areIntersectingOrTouching(at, range);
      });
      return {
        actions: near.map((problem) => action(model, problem, markers)),
        dispose,
      };
    },
  };

  function action(
    model: editor.ITextModel,
    { fix, code }: VcpProblem,
    markers: editor.IMarkerData[],
  ): languages.CodeAction {
    const edits = (fix?.edits ?? []).map(({ start, end, newText }) => ({
      resource: model.uri,
      versionId: model.getVersionId(),
      textEdit: { range: rangeOf(model, start, end), text: newText },
    }));
    return {
      title: fix?.title ?? code,
      kind: 'quickfix',
      isPreferred: true,
      edit: { edits },
      diagnostics: markers.filter((marker) => marker.code === code),
    };
  }

  function rangeOf(model: editor.ITextModel, start: number, end: number) {
    return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
  }
}

function dispose(): void {
  // Nothing is held between the list and its use.
}
