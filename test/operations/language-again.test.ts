/** The way back to the other language is understood in either, whatever is set. */
import { expect, it } from 'vitest'
import { operationInMessage } from '../../kernel/operations/commands.ts'

it.each([
  ['speak english again', 'english'],
  ['talk to me in English again please', 'English'],
  ['switch back to English', 'English'],
  ['back to german', 'german'],
  ['sprich wieder englisch', 'englisch'],
  ['Sprich bitte wieder Deutsch', 'Deutsch'],
  ['rede wieder deutsch', 'deutsch'],
  ['antworte wieder auf Englisch', 'Englisch'],
  ['wieder auf Deutsch bitte', 'Deutsch'],
])('“%s”', (text, language) => {
  const found = operationInMessage(text)
  expect([found?.operation.name, found?.args]).toEqual(['language.set', { language }])
})
