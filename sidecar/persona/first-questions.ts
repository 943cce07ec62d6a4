/**
 * The questions of a first conversation (O-58) at home: whether to ask them, and the answers on the assistant's name
 * and style. What the owner says about themselves goes into a directive file, like any other edit. No model is
 * involved. Called by doors.ts.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { withoutPasted } from '../../kernel/wording/guard/pasted.ts'
import type { Wired } from '../home/wiring.ts'
import { wasAsked } from '../init/init-record.ts'
import type { Methods } from '../line/method.ts'
import { PERSONA_NAME, PERSONA_STYLE } from './persona.ts'

const USER = 'USER'

const answers = z.strictObject({
  how: z.enum(['answered', 'skipped']),
  name: z.nullable(PERSONA_NAME),
  style: z.nullable(PERSONA_STYLE),
})

type Asked = Pick<Wired, 'config' | 'database' | 'folder' | 'renewed'>

export function createQuestionMethods(home: Asked): Methods {
  return {
    questions: async () => ok({ due: areDue(home), persona: isUnnamed(home) }),
    questions_done: async (params) => {
      const parsed = z.safeParse(answers, params)
      return parsed.success ? take(home, parsed.data) : err('field_malformed', { field: 'persona' })
    },
  }
}

/** Once per installation; not if the owner has edited the file or was asked by `pfar init`. */
function areDue({ database, folder }: Asked): boolean {
  const { notes, directives } = database
  return !wasAsked(folder) && notes.read('questions') === null && directives.history(USER).length === 1
}

/** The configuration takes precedence; if it names the assistant, there is nothing to ask. */
function isUnnamed({ config: { persona } }: Asked): boolean {
  return persona.name === null && persona.style === null
}

function take(home: Asked, { how, name, style }: z.output<typeof answers>): Result<unknown> {
  if (withoutPasted(style ?? '').found) return err('secret_pasted')
  const { notes } = home.database
  if (isUnnamed(home) && (name !== null || style !== null)) {
    notes.write('persona', { name, style })
    home.renewed('persona')
  }
  notes.write('questions', how)
  return ok({})
}
