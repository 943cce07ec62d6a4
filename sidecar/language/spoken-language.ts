/**
 * The language that home answers in, for the command line: a file of two letters in the state folder, because `pfar` words what it shows
 * itself. A copy; the setting is in home's database. Written by home when it starts and when the owner changes it.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { speak } from '../../integrations/languages/speak-home.ts'
import {
  DEFAULT_LANGUAGE,
  type Language,
  languageOf,
  languageOfLocale,
} from '../../kernel/wording/languages.ts'

const LANGUAGE_FILE = 'language'

/** Home speaks it, and so does the command line from now on. Without the file the command line speaks English. */
export async function speakAt(folder: string, language: Language): Promise<void> {
  await speak(language)
  const file = join(folder, LANGUAGE_FILE)
  try {
    if (language === DEFAULT_LANGUAGE) rmSync(file, { force: true })
    else writeFileSync(file, `${language}\n`, { mode: 0o600 })
  } catch {
    // A full disk is told of elsewhere; home itself speaks the language all the same.
  }
}

/** As home spoke last in this folder; English where it has not. */
export function spokenAt(folder: string): Language {
  try {
    return languageOf(readFileSync(join(folder, LANGUAGE_FILE), 'utf8').trim()) ?? DEFAULT_LANGUAGE
  } catch {
    return DEFAULT_LANGUAGE
  }
}

/** Words what this process shows in the language that home speaks now. */
export async function speakAsHome(folder: string): Promise<void> {
  await speak(spokenAt(folder))
}

/** Of this terminal's locale, by the rules of POSIX; English for any that is not in the list. */
export function machineLanguage(environment: Readonly<Record<string, string | undefined>>): Language {
  const locale = [environment['LC_ALL'], environment['LC_MESSAGES'], environment['LANG']].find(Boolean)
  return languageOfLocale(locale ?? '') ?? DEFAULT_LANGUAGE
}
