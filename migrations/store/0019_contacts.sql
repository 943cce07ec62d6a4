CREATE TABLE `contacts` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ref` text NOT NULL,
	`before` text,
	`source` text NOT NULL,
	`gone` integer,
	`at` integer NOT NULL
);
