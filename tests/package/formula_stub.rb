# Installs what a formula of Homebrew says, and runs its test, without Homebrew:
#   ruby formula_stub.rb FORMULA TARBALLS DIRECTORY
# Has those words of a formula that recall.rb uses; another word is an error.
require "digest"
require "fileutils"
require "open3"
require "pathname"

class Pathname
  def install(*sources)
    mkpath
    FileUtils.cp_r(sources.flatten.map(&:to_s), to_s)
  end
end

class Formula
  class << self
    attr_reader :source, :check

    %w[desc homepage version license].each { |word| define_method(word) { |_text| nil } }
    def depends_on(what) = (raise "depends on #{what}" unless what == :linux)
    def on_intel = yield
    def on_arm = nil
    def url(text) = (@source = { url: text })
    def sha256(text) = @source[:sha256] = text
    def test(&block) = @check = block
  end

  FOLDERS = {
    bin: "bin", man1: "share/man/man1", doc: "share/doc/recall",
    bash_completion: "etc/bash_completion.d", zsh_completion: "share/zsh/site-functions",
    fish_completion: "share/fish/vendor_completions.d"
  }.freeze

  attr_reader :testpath

  def initialize(prefix, testpath)
    @prefix = prefix
    @testpath = testpath
  end

  FOLDERS.each { |word, folder| define_method(word) { @prefix/folder } }

  def system(*words) = (Kernel.system(*words.map(&:to_s), out: File::NULL) or raise "#{words.join(" ")} fails")

  def shell_output(command)
    out, status = Open3.capture2(command)
    raise "#{command} fails" unless status.success?

    out
  end

  def assert_match(text, output) = (raise "#{text} is missing: #{output}" unless output.include?(text))
end

formula, tarballs, directory = ARGV.map { |word| Pathname(word).expand_path }
load formula.to_s
tarball = tarballs/File.basename(Recall.source[:url])
raise "another sum" unless Digest::SHA256.file(tarball.to_s).hexdigest == Recall.source[:sha256]

work = directory/"unpacked"
work.mkpath
Kernel.system("tar", "-xJf", tarball.to_s, "-C", work.to_s, "--strip-components=1") or raise "tar fails"
recall = Recall.new(directory/"prefix", directory/"test")
recall.testpath.mkpath
Dir.chdir(work.to_s) { recall.install }
Dir.chdir(recall.testpath.to_s) { recall.instance_eval(&Recall.check) }
[:bin, :man1, :doc, :bash_completion, :zsh_completion, :fish_completion].each do |word|
  raise "nothing is installed in #{word}" if recall.send(word).children.empty?
end
