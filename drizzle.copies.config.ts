/** Where drizzle-kit finds the schema of home's copies at the edge and puts its migrations. Read by `npm run migrations` only. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './worker/copies/copy-schema.ts',
  out: './migrations/copies',
})
