/**
 * `language.show`: shows the language in which the owner is answered, and the available ones. Called by the table of operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { record, text } from '../../../operations/shape.ts'
import { ALL_LANGUAGES, languageName } from './shape.ts'

export const showLanguage = defineOperation({
  name: 'language.show',
  place: 'home',
  effect: 'read',
  plannable: true,
  args: {},
  result: record({ now: text('internal') }),
  ports: ['language'],
  command: 'language list',
  slash: 'languages',
  run: async ({ language }) => ok({ now: language.read() }),
  text: ({ now }, { tell }) => tell('language.is', { name: languageName(now), all: ALL_LANGUAGES }),
})
