/**
 * `pfar brain edit`: edits a directive file in an editor or from stdin. Must not write the file itself: home accepts
 * additions, and asks for approval before lines are removed. Called by local/home.ts; the other commands on these
 * files are operations.
 */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { showDirective } from '../../../kernel/features/directives/operations/show.ts'
import { writeDirective } from '../../../kernel/features/directives/operations/write.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { openStateFolder, stateFolderPath } from '../../store/state-folder.ts'
import { showPut } from '../chat/cards.ts'
import { terminalText } from '../chat/terminal-text.ts'
import { type CommandContext, type ExitCode, onLine } from '../command.ts'
import type { Link } from '../line/link.ts'
import type { Environment } from '../state-paths.ts'
import { viewAt } from './operation-command.ts'

export interface BrainEdit {
  readonly name: string
  readonly cleanup: boolean
  readonly append: boolean
}

/** The owner at the terminal. */
interface Hand {
  /** Returns the new text, starting from `text`. */
  write(context: CommandContext, text: string): Promise<Result<string>>
  /** Whether the owner confirms; always false without a terminal. */
  says(question: string): Promise<boolean>
}

export async function brainEdit(
  context: CommandContext,
  options: BrainEdit,
  hand: Hand = HAND,
): Promise<ExitCode> {
  const { screen } = context
  return onLine(context, { line: 'private', start: true }, async (link) => {
    const done = await edit({ context, link, hand }, options)
    const said = done.ok ? undefined : writeDirective.refusals[done.reason.code]
    if (said === undefined) return done
    screen.err(said)
    return ok(1)
  })
}

interface At {
  readonly context: CommandContext
  readonly link: Link
  readonly hand: Hand
}

async function edit({ context, link, hand }: At, options: BrainEdit): Promise<Result<ExitCode>> {
  const { name, cleanup, append } = options
  const shown = await link.call(showDirective, { name })
  if (!shown.ok && shown.reason.code !== 'directive_unknown') return shown
  const now = shown.ok ? shown.value : { version: 0, text: '' }
  const typed = await hand.write(context, now.text === '' ? NEW_FILE : now.text)
  if (!typed.ok) return typed
  const text = append ? now.text + typed.value : typed.value
  const change = { name, text, replaces: now.version, cleanup }
  const kept = await link.call(writeDirective, change)
  // Asks for the option instead of failing without it, so that the edited text is not lost.
  const again = !kept.ok && kept.reason.code === 'directive_shrinks' && (await hand.says(LINES_GO))
  const written = again ? await link.call(writeDirective, { ...change, cleanup: true }) : kept
  if (!written.ok) return written
  const { approval } = written.value
  const words = writeDirective.text(written.value, viewAt('private'), change)
  if (words !== '') context.screen.out(terminalText(words))
  return approval === null ? ok(0) : showPut(context.screen, link, approval)
}

const NEW_FILE = '---\nowns: what this file is the one place for\nmode: agent_requested\n---\n'

const LINES_GO = 'That takes lines out. Put them on a card, for your yes? [y/N] '

/** Reads stdin, or opens the owner's editor. */
const HAND: Hand = {
  write: ({ environment }, text) =>
    process.stdin.isTTY === true ? editText(environment, text) : readAll(process.stdin).then(ok),
  async says(question) {
    if (process.stdin.isTTY !== true) return false
    const asking = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return /^y(?:es)?$/i.test((await asking.question(question)).trim())
    } finally {
      asking.close()
    }
  },
}

/** Refusals: nothing_found if the editor could not run, failed or changed nothing; those of the state folder. */
export async function editText(environment: Environment, text: string): Promise<Result<string>> {
  const folder = openStateFolder(stateFolderPath(environment))
  if (!folder.ok) return folder
  const path = folder.value.file(`edit-${randomBytes(8).toString('hex')}.md`)
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
    const code = await runEditor(environment, path)
    const left = code === 0 ? readFileSync(path, 'utf8') : text
    return left === text ? err('nothing_found') : ok(left)
  } finally {
    rmSync(path, { force: true })
  }
}

/** Through a shell, as usual, because the variable may contain options. The path is an argument, not shell text. */
function runEditor(environment: Environment, path: string): Promise<number | null> {
  const editor = environment['VISUAL'] || environment['EDITOR'] || 'vi'
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' })
    child.once('error', () => resolve(null))
    child.once('exit', resolve)
  })
}
