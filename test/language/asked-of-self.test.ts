/** Questions that are put to the assistant about itself, in other words than its sentences: none is a search; and what only looks like one. */
import { describe, expect, it } from 'vitest'
import { createZone } from '../../integrations/dates/zone.ts'
import { askedOfSelf, asksOfAbility } from '../../integrations/extractors/message/asked-of-self.ts'
import { readAtHome } from '../../integrations/extractors/message/message-at-home.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'

const MOMENT = { now: Date.parse('2026-11-22T10:30:00Z'), zone: createZone('Europe/Berlin') }

const ASKED: readonly (readonly [operation: string, said: readonly string[]])[] = [
  [
    'about.knows',
    [
      ...[
        'do you send my mails to openai?',
        'will you share my contacts with microsoft',
        'are you passing my notes on to anyone',
      ],
      ...[
        'can my boss read my messages?',
        'does apple see my calendar',
        'is anyone able to read what I tell you',
      ],
      ...[
        'do my mails end up in the cloud',
        'is my data safe',
        'who can see what I write',
        'are our chats private here',
      ],
      ...[
        'schickst du meine Termine an Microsoft?',
        'gibst du meine Daten weiter',
        'liest jemand meine Nachrichten mit',
      ],
      ...[
        'kann Amazon meine Daten sehen',
        'können Fremde lesen, was ich dir schreibe',
        'sind meine Notizen bei dir sicher',
      ],
    ],
  ],
  [
    'jobs.list',
    [
      ...['which routines did you say run automatically', 'what have you told me happens automatically'],
      ...['what was it that you do by yourself', 'was hast du gesagt, was von selbst läuft'],
    ],
  ],
  [
    'quiet.show',
    ['how are my quiet hours set', 'wie sind denn meine Ruhezeiten eingestellt', 'wann ist die Nachtruhe'],
  ],
  [
    'scheduled.list',
    [
      ...[
        'which messages are still waiting to go out',
        'what mail goes out tonight',
        'is there any mail queued to be sent',
      ],
      ...[
        'do i have anything scheduled to go',
        'show me the mails that are planned',
        'sind noch Mails geplant',
      ],
    ],
  ],
]

describe.each(ASKED)('%s', (operation, said) => {
  it.each(said)('%s', (text) => {
    const plain = askedOfSelf(text)
    expect(plain?.operation).toBe(operation)
    expect(operationInMessage(plain?.sentence ?? '')?.operation.name).toBe(operation)
    // Nothing else reads it before.
    expect(readAtHome(text, MOMENT)).toMatchObject({ intent: 'other' })
  })
})

it.each([
  ...[
    'are you good with calendars?',
    'can you handle my shopping lists too',
    'do you help with reminders as well',
    'could you manage my email',
  ],
  ...[
    'bist du auch für Termine zuständig?',
    'kannst du auch Kontakte verwalten',
    'hilfst du mir auch bei Notizen',
  ],
])('%s: what can be done with it', (said) => {
  expect(asksOfAbility(said)).toBe(true)
  expect(readAtHome(said, MOMENT)).toMatchObject({ intent: 'help' })
})

it.each([
  ...[
    'send my mails to tom',
    'do you have my notes on tom',
    'can you share my notes with me',
    'can i see my calendar',
    'who sent my mail',
  ],
  ...[
    'did tom read my mail',
    'is my mail to tom sent',
    'what mail came today',
    'is the calendar free on friday',
    'are there any mails',
  ],
  ...[
    'can you read my mails',
    'can you do the mail to Tom',
    'can you help with the move on friday',
    'zeig mir meine Nachrichten',
    'schick meine Notizen an Tom',
  ],
  ...[
    'gibt es neue Mails',
    'was geht heute',
    'hat jemand meine Mail gelesen',
    'kannst du Tom eine Mail schreiben',
    'what is waiting for me',
  ],
])('%s: none of it', (said) => {
  expect(askedOfSelf(said)).toBeNull()
  expect(asksOfAbility(said)).toBe(false)
})
