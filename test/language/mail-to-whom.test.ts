/** Whom a mail at a time goes to, where the word for the mail stands behind the name: the name alone, and no word of it. */
import { expect, it } from 'vitest'
import { coreAsTyped } from '../../integrations/extractors/message/message-intent.ts'
import { unnamedRequest } from '../../integrations/extractors/message/message-requests.ts'
import { TOOL_PHRASES } from '../../integrations/tools/registered.ts'

it.each([
  ['send Priya an email on friday at 9: see you there', 'Priya', 'see you there'],
  ['send Tom a quick mail tomorrow at 8: running late', 'Tom', 'running late'],
  ['send Mira Haas a short message tomorrow at noon saying I am late', 'Mira Haas', 'I am late'],
  ['schick Tom morgen um 8 eine Mail: bis gleich', 'Tom', 'bis gleich'],
])('%s', (said, whom, topic) => {
  expect(unnamedRequest(TOOL_PHRASES, coreAsTyped(said), () => true)?.taken).toMatchObject({ whom, topic })
})
