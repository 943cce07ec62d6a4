/**
 * `brain.write`: writes a directive file in the owner's words (O-10, O-11). An addition is stored at once; a removal
 * of lines needs an approved card. Called by the table of operations; the command line opens an editor first.
 */
import { rest, versionSeen, word, yes } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { WRITTEN, writtenWords } from './shape.ts'
import { toVersionBefore, versionNow } from './versions.ts'

export const writeDirective = defineOperation({
  name: 'brain.write',
  place: 'home',
  effect: 'write',
  args: {
    name: word(),
    replaces: versionSeen(),
    cleanup: yes(),
    text: rest(),
  },
  result: WRITTEN,
  ports: ['directives'],
  run: ({ directives }, edit, caller) => directives.edit(caller, { ...edit, message: caller.message }),
  state: versionNow,
  undo: toVersionBefore,
  text: (written, view, { name }) => writtenWords(name, written, view),
})
