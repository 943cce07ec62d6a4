/**
 * `brain.restore`: stores an earlier text of a directive file as its newest version; if that removes lines, a card
 * asks first (O-12, X-05). Called by the table of operations.
 */
import { countWord, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { WRITTEN, writtenWords } from './shape.ts'
import { toVersionBefore, versionNow } from './versions.ts'

export const restoreDirective = defineOperation({
  name: 'brain.restore',
  place: 'home',
  effect: 'write',
  args: { name: word(), version: countWord() },
  result: WRITTEN,
  ports: ['directives'],
  run: ({ directives }, { name, version }, caller) =>
    directives.restore(caller, { name, version, message: caller.message }),
  state: versionNow,
  undo: toVersionBefore,
  text: (written, view, { name }) => writtenWords(name, written, view),
})
