/** No plan comes of the way in which something is said: of what is told, of a part of it, or of words that name nothing. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const tools = (text: string): readonly string[] => readingOf(text).calls.map(({ tool }) => tool)

describe('what is told is nothing to look up', () => {
  it.each([
    ...['the wifi at mums is called Hazelnut and the password is tractor77', 'my meeting is on friday'],
    ...['i have slept like 4 hours since tuesday lol', 'the key is under the mat'],
  ])('%s', (text) => expect(tools(text)).toEqual([]))

  it.each([
    ['is my meeting on friday', 'calendar.list_events'],
    ["what's my locker number", 'memory.search'],
    ['i need to know what is on friday', 'calendar.list_events'],
  ])('what is asked is: %s', (text, tool) => expect(tools(text)).toEqual([tool]))
})

describe('whether one person wrote', () => {
  it.each([
    'did prof lindqvist answer my extension email',
    'has Priya emailed the new rota yet',
    'Hat er schon geantwortet?',
  ])('is no list of all mails: %s', (text) => expect(tools(text)).not.toContain('email.list'))

  it.each(['did Sarah write?', 'has anyone emailed me', 'hat Sarah geschrieben?'])(
    'is one of theirs, or of all: %s',
    (text) => expect(tools(text)).toEqual(['email.list']),
  )

  it.each(['did Sarah answer?', 'hat Sarah geantwortet?'])(
    'is what came since the last mail to her: %s',
    (text) => expect(tools(text)).toEqual(['email.heard']),
  )
})

describe('a thing of the list', () => {
  it('is one of two requests, with the appointment before it', () =>
    expect(tools('Kindergeburtstag am 17. um 15 Uhr eintragen und Geschenkpapier auf die Liste')).toEqual([
      'calendar.create_event',
      'task.add',
    ]))

  it.each(['pack hafermilch und kaffee auf die liste & nimm das poulet runter'])(
    'is no part of another request: %s',
    (text) => expect(tools(text)).not.toContain('task.add'),
  )

  it('is without where it goes', () =>
    expect(
      readingOf('pack mal klopapier und haferdrink auf die liste, und reis').calls.map(
        ({ args }) => args['text'],
      ),
    ).toEqual(['klopapier', 'haferdrink', 'reis']))
})

describe('what is searched for', () => {
  it('is no word that asks', () => expect(tools('what do they need to bring')).toEqual([]))
  it('holds no second request', () =>
    expect(tools('find out when the tip in Swindon opens and remember it')).toEqual([]))
  it('is asked once, however it is to be known', () =>
    expect(tools('was kostet ein bahnticket von köln nach wien ungefähr, schau mal nach')).toEqual([
      'web.search',
    ]))
  it('is nothing where a change is asked for', () =>
    expect(tools('get me off the wayfair newsletter for gods sake')).not.toContain('email.search'))
  it('is nobody by the word that asks', () =>
    expect(readingOf('what did I promise people by mail this week').calls).toEqual([
      { tool: 'email.promises', args: {} },
    ]))
})

describe('what belongs into a file is no fact', () => {
  it.each([
    'save this to ideas.txt: podcast about lighthouses',
    'speicher das in ideen.md: podcast über leuchttürme',
  ])('%s', (text) => expect(tools(text)).toEqual(['files.find', 'files.append']))

  it('but a fact is', () => expect(tools('save that my locker is 12')).toEqual(['memory.save']))
})
