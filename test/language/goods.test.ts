/** Things of a list without commas: several where counts or everyday goods say so, and one thing otherwise. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { thingsInRow } from '../../integrations/extractors/timed/goods.ts'
import { itemsOf } from '../../integrations/extractors/timed/items.ts'

describe('several things in one row', () => {
  it.each([
    ['milk eggs bread', ['milk', 'eggs', 'bread']],
    ['milk eggs bin bags cat litter', ['milk', 'eggs', 'bin bags', 'cat litter']],
    [
      '6 bags of plaster 2 tubs of pva box of screws',
      ['6 bags of plaster', '2 tubs of pva', 'box of screws'],
    ],
    ['milch butter klopapier die kleinen joghurts', ['milch', 'butter', 'klopapier', 'die kleinen joghurts']],
    ['orange juice peanut butter bread', ['orange juice', 'peanut butter', 'bread']],
  ])('%s', (text, things) => expect(thingsInRow(text)).toEqual(things))

  it.each([
    ...['call mum back', 'book the bread course', 'renew the milk delivery contract', '2 bags calf nuts'],
    ...['garlic bread', 'two pints of milk', 'ask about the eggs', 'reply to the tea shop people'],
  ])('one thing stays one: %s', (text) => expect(thingsInRow(text)).toEqual([text]))
})

describe('a list', () => {
  it.each([
    ['town list - drench, baler twine', ['drench', 'baler twine']],
    ['oat milk n cat litter', ['oat milk', 'cat litter']],
    ['expenses (oct and nov, dec), room', ['expenses (oct and nov, dec)', 'room']],
    ['gaffer tape + batteries', ['gaffer tape', 'batteries']],
  ])('is cut where its things end: %s', (text, things) => expect(itemsOf(text)).toEqual(things))
})

describe('a fact, with the words that ask to keep it', () => {
  const FACTS = [
    'the blue heifer is tag 0417',
    'the McAllister quote was £4,850',
    'Maisie is allergic to cashews',
  ]
  const ENDS = [
    ' keep that for me',
    ', keep that in mind',
    ' just so you know for next time',
    '. note that down please',
  ]
  it.each(FACTS.flatMap((fact) => ENDS.map((end) => [`${fact}${end}`, fact] as const)))('%s', (text, fact) =>
    expect(readingOf(text).calls).toEqual([{ tool: 'memory.save', args: { text: fact } }]),
  )
})
