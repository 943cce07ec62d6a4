/** What counts as yes, no or neither at set-up, as people say it. */
import { expect, it } from 'vitest'
import { yesIn } from '../../sidecar/init/answers.ts'

const NO =
  'nö|ne|nee|keine|keinen|erstmal nicht|noch nicht|nö, erstmal nicht|nein danke|jetzt nicht|hab ich nicht|später!'
const LATER = 'not yet|later!|no thanks|none|nope.'
const NEITHER = 'google|nextcloud.example|nora@keine.example|Nora|keine ahnung'

it.each(`${NO}|${LATER}`.split('|'))('%s is no', (answer) => expect(yesIn(answer)).toBe(false))

it.each(['ja', 'jo', 'yep'])('%s is yes', (answer) => expect(yesIn(answer)).toBe(true))

it.each(NEITHER.split('|'))('%s is neither', (answer) => expect(yesIn(answer)).toBeNull())
