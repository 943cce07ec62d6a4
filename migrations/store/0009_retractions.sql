CREATE TABLE `retractions` (
	`id` text PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`sink` text NOT NULL,
	`message` text NOT NULL,
	`attempts` integer NOT NULL,
	`due` integer NOT NULL
);
