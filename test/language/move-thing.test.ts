/** Which thing a move means: the words of its title alone, as each of them must stand in what is chosen. */
import { describe, expect, it } from 'vitest'
import { createZone } from '../../integrations/dates/zone.ts'
import { readMove } from '../../integrations/extractors/message/message-move.ts'

const MOMENT = { now: Date.parse('2026-11-26T15:00:00Z'), zone: createZone('America/New_York') }

const thingIn = (text: string): string | null | undefined => readMove(text, MOMENT)?.topic

describe('words of courtesy are none of the thing', () => {
  it.each([
    ['Move the budget review tomorrow to 5pm', 'budget review'],
    ['move the budget review tomorrow, please, to 5pm', 'budget review'],
    ['push just the budget review back an hour', 'budget review'],
    ['Verschieb das Budget Review morgen auf 17 Uhr', 'Budget Review'],
    ['Verschieb bitte das Budget Review morgen auf 17 Uhr', 'Budget Review'],
    ['verschieb das Budget Review bitte morgen auf 17 Uhr', 'Budget Review'],
    ['Verschieb doch bitte mal unsere Sitzung mit Tom auf Freitag um 10', 'Sitzung Tom'],
    ['verschiebe mir bitte den Zahnarzt um eine Stunde nach hinten', 'Zahnarzt'],
    ['move it please to 5pm', null],
    ['Verschieb es bitte auf 17 Uhr', null],
    // A title may have such a word within.
    ['move Just Dance night to 5pm', 'Dance night'],
    ['move the Say Please workshop to 5pm', 'Say Please workshop'],
  ])('%s: %s', (text, topic) => expect(thingIn(text)).toBe(topic))
})
