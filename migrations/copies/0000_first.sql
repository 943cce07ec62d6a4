CREATE TABLE `copy_chunks` (
	`name` text PRIMARY KEY NOT NULL,
	`bytes` blob
);
--> statement-breakpoint
CREATE TABLE `copy_generations` (
	`number` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`chunks` text NOT NULL,
	`manifest` text NOT NULL
);
