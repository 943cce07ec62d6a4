/** Events that get another name or are deleted by a name of several words, and times that suit two people: what a sentence is read as, in both languages. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const calls = (text: string) => readingOf(text).calls.map(({ tool, args }) => [tool, args] as const)

describe('an event by its words', () => {
  it.each([
    ['rename the dentist appointment to Checkup', 'Checkup'],
    ['retitle the event budget review as Money talk', 'Money talk'],
    ['nenn den Termin Zahnarzt um in Kontrolle', 'Kontrolle'],
    ['benenne den Termin Montage in Aufbau um', 'Aufbau'],
  ])('another name: %s', (text, title) => {
    const [look, change, ...more] = calls(text)
    expect([look?.[0], change?.[0], change?.[1]['title'], more]).toEqual([
      'calendar.list_events',
      'calendar.update_event',
      title,
      [],
    ])
  })

  it.each([
    'lösche die Montage bei Müller',
    'sag das Treffen mit Anna bitte ab',
    'streich den Termin Besuch im Museum',
  ])('deleted: %s', (text) => {
    expect(calls(text).map(([tool]) => tool)).toEqual(['calendar.list_events', 'calendar.delete_event'])
  })

  it.each([
    'lösche die Mail mit der Rechnung',
    'lösche die Notiz bei Müller',
    'streich die Erinnerung mit der Bank',
  ])('of something else: %s', (text) => {
    expect(calls(text).some(([tool]) => tool.startsWith('calendar.'))).toBe(false)
  })

  it('without an event that was shown it is not guessed', () => {
    expect(calls('rename that event to Money talk')).toEqual([])
    expect(calls('das zweite')).toEqual([])
  })
})
