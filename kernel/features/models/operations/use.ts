/**
 * `models.use`: sets which model is asked first, for everything or for one subject (L-05). Moving a cloud model ahead needs an
 * approval card; a change to the models at home is made at once. Called by the table of operations.
 */
import { err } from '../../../flow/verdict.ts'
import { maybeRest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { choiceWords, type Subject } from '../choice.ts'
import { CHOSEN, chosenWords, takenBack } from './shape.ts'

/** Pattern of a model's name, which is one word, or of the owner's own models. */
const MODEL = String.raw`(?:(?:the |my |a |das |mein |ein )?(?:local|home|cloud|usual|default|lokale[sn]?|eigene[sn]?|übliche[sn]?) (?:models?|modelle?)|(?:the |my |das |dem )[\p{L}][\p{L}\d.:_-]{1,40}[ -](?:model|modell)|[\p{L}][\p{L}\d.:_-]{1,40})`

/** Words that people use for each subject, in English and German. */
const NAMES: Readonly<Record<Subject | 'all', string>> = {
  all: 'everything|all(?: of it)?|anything|alles|allem|immer',
  mail: '(?:my )?(?:e-?)?mails?|mail|post|(?:meine )?(?:e-?)?mails?|(?:my )?inbox',
  calendar: '(?:my )?calendar|appointments|events|(?:meinen |den )?kalender|termine',
  files: '(?:my )?files|documents|(?:meine )?dateien|dokumente',
  notes: '(?:my )?notes|(?:meine )?notizen',
  code: 'code|pull requests|issues',
  web: '(?:the )?web|web pages|web searches|(?:das )?internet|webseiten',
}

const ABOUT = `(?:${Object.values(NAMES).join('|')})`

function subjectIn(said: string | null): Subject | 'all' | null {
  if (said === null) return 'all'
  const found = Object.entries(NAMES).find(([, name]) => new RegExp(`^(?:${name})$`, 'iu').test(said.trim()))
  return found === undefined ? null : (found[0] as Subject | 'all')
}

export const useModel = defineOperation({
  name: 'models.use',
  place: 'home',
  effect: 'write',
  plannable: true,
  args: { model: { ...word(), slot: MODEL }, about: { ...maybeRest(), slot: ABOUT } },
  result: CHOSEN,
  ports: ['models', 'choice'],
  slash: 'usemodel',
  async run({ models, choice }, { model, about: said }, caller) {
    const about = subjectIn(said)
    return about === null
      ? err('tool_arguments_invalid', { path: 'about' })
      : choice.use(caller, { model, about }, models.views())
  },
  state: async ({ choice }) => ({ choice: choiceWords(choice.read()) }),
  undo: ({ result }) => takenBack(result),
  text: (chosen, view) => chosenWords(chosen, view),
})
