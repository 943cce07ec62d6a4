/** Whose mail is read is found wherever it stands; where nobody is named, no mail is. */
import { describe, expect, it } from 'vitest'
import { senderIn } from '../../integrations/extractors/learned/sender.ts'

describe('the sender', () => {
  it.each([
    ['what did anna say in her mail', 'anna'],
    ['what did mick dunne say in his mail about the baler', 'mick dunne'],
    ['die letzte Mail von meiner Tochter vor', 'Tochter'],
    ['was schreibt die Krankenkasse wegen dem Rezept von gestern', 'Krankenkasse'],
    ['read me the one from Bernie re annual leave', 'Bernie'],
    ["open Kemal's email about the contract", 'Kemal'],
    ['whats the 5rb email say', '5rb'],
    ['read me what the surgery sent, please', 'surgery'],
  ])('%s', (text, who) => expect(senderIn(text)).toBe(who))

  it.each([
    'what did he say',
    'read it to me',
    'was will er von mir',
    'read the mail from yesterday',
    'open it',
  ])('is nobody: %s', (text) => expect(senderIn(text)).toBeNull())
})
