// What is wrong with a file, in words for whoever opened it: what it is, and what to do.
export class Failure extends Error {}
