/** `language.set`: sets the language in which the owner is answered. Called by the table of operations. */
import { word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { record, text } from '../../../operations/shape.ts'
import { LANGUAGE_NAMES, languageName } from './shape.ts'

export const setLanguage = defineOperation({
  name: 'language.set',
  place: 'home',
  effect: 'write',
  plannable: true,
  args: { language: { ...word(), slot: `(?:${LANGUAGE_NAMES})` } },
  result: record({ now: text('internal'), before: text('internal') }),
  ports: ['language'],
  slash: 'language',
  run: ({ language }, args) => language.set(args.language),
  state: async ({ language }) => ({ language: language.read() }),
  undo: ({ result: { before } }) => ({ operation: 'language.set', args: { language: before } }),
  text: ({ now }, { tell }) => tell('language.now', { name: languageName(now) }),
})
