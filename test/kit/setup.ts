/** Runs before each file, also where files share their modules: what the file started ends with it. Called by vitest. */
import { afterAll } from 'vitest'
import { endAll } from './stop.ts'

afterAll(endAll)
